(package_header (qualified_identifier) @package)
(import) @import

(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration name: (identifier) @name (enum_class_body)) @definition.enum
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(companion_object name: (identifier) @name) @definition.class
(companion_object !name) @scope
(type_alias type: (identifier) @name) @definition.type
(enum_entry (identifier) @name (class_body)? @body) @definition.constant
(secondary_constructor "constructor" @name) @definition.method
(function_declaration [(user_type) @receiver (nullable_type (user_type) @receiver)] . "." . name: (identifier) @name) @definition.method
(function_declaration name: (identifier) @name) @definition.function
(property_declaration [(user_type) @receiver (nullable_type (user_type) @receiver)] . "." . (variable_declaration . (identifier) @name)) @definition.property
(property_declaration (variable_declaration . (identifier) @name)) @definition.property
(property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @definition.property
(class_parameter ["val" "var"] . (identifier) @name) @definition.property

(delegation_specifier (constructor_invocation (user_type (identifier) @inherit .)))
(delegation_specifier (constructor_invocation (user_type (identifier) @inherit . (type_arguments))))
(delegation_specifier (user_type (identifier) @conform .))
(delegation_specifier (user_type (identifier) @conform . (type_arguments)))
(delegation_specifier (explicit_delegation . (user_type (identifier) @conform .)))
(delegation_specifier (explicit_delegation . (user_type (identifier) @conform . (type_arguments))))

(constructor_delegation_call "super" @call)
(call_expression . (identifier) @call)
(call_expression . (navigation_expression . (_) @call.receiver (identifier) @call .))
(binary_expression left: (binary_expression left: (identifier) @call "<") operator: ">" right: (parenthesized_expression))
(binary_expression left: (binary_expression left: (navigation_expression . (_) @call.receiver (identifier) @call .) "<") ">" right: (parenthesized_expression))
(infix_expression (_) @call.receiver . (identifier) @call . (_))
(callable_reference (identifier) @call .)

(user_type (identifier) @type)
