(class_declaration declaration_kind: "class" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(protocol_declaration name: (type_identifier) @name) @definition.protocol
(class_declaration declaration_kind: "extension" name: (user_type) @name) @definition.extension
(class_declaration declaration_kind: "extension" name: (array_type) @name) @definition.extension

; Operators are anonymous nodes, and the field `name` is also that of the result type.
(function_declaration "func" . _ @name) @definition.function
(protocol_function_declaration "func" . _ @name) @definition.method
(init_declaration name: "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(macro_declaration (simple_identifier) @name) @definition.macro
(operator_declaration (custom_operator) @name) @definition.function

(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @definition.property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @definition.property)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) !computed_value) @definition.variable)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @definition.property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property
(enum_entry name: (simple_identifier) @name) @definition.constant
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

; The first of a class's list may be its superclass; nothing in the syntax tells.
(class_declaration declaration_kind: "class" name: (_) . (inheritance_specifier inherits_from: (user_type . (type_identifier) @inherit . (type_arguments)? .)))
(class_declaration declaration_kind: "class" (type_parameters) . (inheritance_specifier inherits_from: (user_type . (type_identifier) @inherit . (type_arguments)? .)))
(protocol_declaration (inheritance_specifier inherits_from: (user_type . (type_identifier) @inherit .)))
(inheritance_specifier inherits_from: (user_type . (type_identifier) @conform . (type_arguments)? .))
(inheritance_specifier inherits_from: (user_type (type_identifier) @conform.receiver . (type_identifier) @conform . (type_arguments)? .))
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @extend . (type_arguments)? .))
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @extend.receiver . (type_identifier) @extend . (type_arguments)? .))

(call_expression . (simple_identifier) @call (call_suffix [(value_arguments "(") (lambda_literal)]))
(call_expression . (navigation_expression target: (_) @call.receiver suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(call_expression . (prefix_expression target: (simple_identifier) @call))
(constructor_expression constructed_type: (user_type (type_identifier) @call))

(user_type . (type_identifier) @type.receiver . (type_identifier) @type)
(user_type . (type_identifier) @type)

(import_declaration) @import
