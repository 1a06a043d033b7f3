(class_definition name: (identifier) @name) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (mixin) . (identifier) @name) @definition.trait
(extension_declaration name: (identifier) @name) @definition.extension
(extension_declaration !name class: (type_identifier) @name) @definition.extension
(extension_type_declaration representation: (representation_declaration name: (identifier) @name) @definition.field)
(extension_type_declaration name: (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(type_alias . (type_identifier) @name "=") @definition.type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @definition.type

((method_signature (function_signature name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @definition.property . (function_body) @body)
((method_signature (setter_signature name: (identifier) @name)) @definition.property . (function_body) @body)
((method_signature (operator_signature (binary_operator) @name)) @definition.method . (function_body) @body)
((method_signature (constructor_signature name: (identifier) name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.method . (function_body) @body)
((method_signature (factory_constructor_signature (identifier) . (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (factory_constructor_signature . (identifier) @name . (formal_parameter_list))) @definition.method . (function_body) @body)
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (getter_signature name: (identifier) @name)) @definition.property
(declaration (constructor_signature name: (identifier) name: (identifier) @name)) @definition.method
(declaration (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.method
(declaration (constant_constructor_signature (identifier) . (identifier) @name)) @definition.method
(declaration (constant_constructor_signature (const_builtin) . (identifier) @name . (formal_parameter_list))) @definition.method
(declaration (redirecting_factory_constructor_signature (identifier) . (identifier) @name)) @definition.method

((function_signature name: (identifier) @name) @definition.function . (function_body) @body)
(function_signature name: (identifier) @name) @definition.function
((getter_signature name: (identifier) @name) @definition.property . (function_body) @body)
(getter_signature name: (identifier) @name) @definition.property
((setter_signature name: (identifier) @name) @definition.property . (function_body) @body)

(declaration (initialized_identifier_list (initialized_identifier (identifier) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration (identifier) @name))) @definition.constant
(program (static_final_declaration_list (static_final_declaration (identifier) @name) @definition.constant))
(program (initialized_identifier_list (initialized_identifier (identifier) @name) @definition.variable))

(superclass . (type_identifier) @inherit)
(mixins (type_identifier) @conform)
(interfaces (type_identifier) @conform)
(mixin_declaration (type_identifier) @inherit)
(extension_declaration class: (type_identifier) @extend)

((identifier) @call . (selector (argument_part)))
((super) @call.receiver . (unconditional_assignable_selector (identifier) @call) . (selector (argument_part)))
((_) @call.receiver . (selector (unconditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
((_) @call.receiver . (selector (conditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
(cascade_section (cascade_selector (identifier) @call) (argument_part))
(new_expression (type_identifier) @call)
(const_object_expression (type_identifier) @call)

(type_identifier) @type

(import_or_export) @import
(part_directive) @import
(part_of_directive) @import
(library_name (dotted_identifier_list) @package)
