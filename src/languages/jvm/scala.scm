(package_clause name: (package_identifier) @package)
(import_declaration) @import
(export_declaration) @import

(package_object name: (identifier) @name) @definition.module
(object_definition name: (identifier) @name) @definition.class
(class_definition name: (identifier) @name) @definition.class
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.constant
(full_enum_case name: (identifier) @name) @definition.class
(type_definition name: (type_identifier) @name) @definition.type
(function_definition name: [(identifier) (operator_identifier)] @name) @definition.function
(function_declaration name: [(identifier) (operator_identifier)] @name) @definition.function
(given_definition name: (identifier) @name body: (with_template_body)) @definition.class
(given_definition name: (identifier) @name) @definition.property
(given_definition !name return_type: (_) @name body: (with_template_body)) @definition.class
(given_definition !name return_type: (_) @name) @definition.property
(val_definition pattern: (identifier) @name) @definition.property
(val_definition pattern: (identifiers (identifier) @name)) @definition.property
(val_definition pattern: (tuple_pattern (identifier) @name)) @definition.property
(var_definition pattern: (identifier) @name) @definition.property
(var_definition pattern: (identifiers (identifier) @name)) @definition.property
(val_declaration name: (identifier) @name) @definition.property
(var_declaration name: (identifier) @name) @definition.property
(class_definition class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name) @definition.property))
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.property))
(enum_definition class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name) @definition.property))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.property))
(extension_definition parameters: (parameters (parameter type: (_) @scope.name))) @scope

(extends_clause . type: [(type_identifier) @inherit (generic_type type: (type_identifier) @inherit) (stable_type_identifier (_) @inherit.receiver (type_identifier) @inherit) (generic_type type: (stable_type_identifier (_) @inherit.receiver (type_identifier) @inherit))])
(extends_clause [(type_identifier) @conform (generic_type type: (type_identifier) @conform) (stable_type_identifier (_) @conform.receiver (type_identifier) @conform) (generic_type type: (stable_type_identifier (_) @conform.receiver (type_identifier) @conform))])

(given_definition return_type: [(type_identifier) @conform (generic_type type: (type_identifier) @conform)] body: (with_template_body))

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @call.receiver field: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression value: (_) @call.receiver field: (identifier) @call)))
(instance_expression [(type_identifier) @call (generic_type type: (type_identifier) @call) (stable_type_identifier (_) @call.receiver (type_identifier) @call) (generic_type type: (stable_type_identifier (_) @call.receiver (type_identifier) @call))])
(infix_expression left: (_) @call.receiver operator: (identifier) @call)

(type_identifier) @type
