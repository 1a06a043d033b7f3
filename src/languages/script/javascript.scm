(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (identifier) @name) @definition.class
(method_definition name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name (member_expression))] @name) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (arrow_function body: (_) @body)) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (function_expression body: (_) @body)) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.field

(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class

(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (lexical_declaration (variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)
])) @definition.variable))

(assignment_expression
  left: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name)
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: (class body: (_) @body)) @definition.class
(assignment_expression
  left: (identifier) @name
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(pair
  key: [(property_identifier) (string)] @name
  value: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.method

; `export default` of something without a name is called default.
(export_statement "default" @name
  value: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class

; Named function and class expressions: callbacks, returned functions.
(function_expression name: (identifier) @name) @definition.function
(generator_function name: (identifier) @name) @definition.function
(class name: (identifier) @name) @definition.class

(class_heritage (identifier) @inherit)
(class_heritage (member_expression object: (_) @inherit.receiver property: (property_identifier) @inherit))

(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @call.receiver property: [(property_identifier) (private_property_identifier)] @call))
(call_expression function: (super) @call)
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression object: (_) @call.receiver property: (property_identifier) @call))
(jsx_expression (identifier) @read)
; Components are called; lower-case elements are the platform's.
((jsx_opening_element name: (identifier) @call) (#match? @call "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @call.receiver property: (property_identifier) @call))
(jsx_self_closing_element name: (member_expression object: (_) @call.receiver property: (property_identifier) @call))

; A function as an object: `f.call(…)` and `f.apply(…)` call it, `f.bind(…)` makes a value of it.
((call_expression function: (member_expression object: (identifier) @call property: (property_identifier) @word))
  (#any-of? @word "call" "apply"))
((call_expression function: (member_expression
  object: (member_expression object: (_) @call.receiver property: [(property_identifier) (private_property_identifier)] @call)
  property: (property_identifier) @word)) (#any-of? @word "call" "apply"))
((call_expression function: (member_expression object: (identifier) @read property: (property_identifier) @word)) (#eq? @word "bind"))
((call_expression function: (member_expression
  object: (member_expression object: (_) @read.receiver property: [(property_identifier) (private_property_identifier)] @read)
  property: (property_identifier) @word)) (#eq? @word "bind"))

; Functions and classes as values
(arguments (identifier) @read)
(pair value: (identifier) @read)
(shorthand_property_identifier) @read
(array (identifier) @read)

; Imports
(import_statement) @import
(export_statement source: (string)) @import
(variable_declarator value: (call_expression function: (identifier) arguments: (arguments . (string) .))) @import
(variable_declarator value: (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string) .)))) @import
(call_expression function: (identifier) arguments: (arguments . (string) .)) @import
(variable_declarator value: (await_expression (call_expression function: (import) arguments: (arguments . (string))))) @import
(call_expression function: (import) arguments: (arguments . (string))) @import
