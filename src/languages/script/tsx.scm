(jsx_expression (identifier) @read)
; Components are called; lower-case elements are the platform's.
((jsx_opening_element name: (identifier) @call) (#match? @call "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @call.receiver property: (property_identifier) @call))
(jsx_self_closing_element name: (member_expression object: (_) @call.receiver property: (property_identifier) @call))
