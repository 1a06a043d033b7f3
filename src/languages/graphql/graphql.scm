(object_type_definition (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(object_type_extension (name) @name (fields_definition)? @body) @definition.extension
(interface_type_extension (name) @name (fields_definition)? @body) @definition.extension
(field_definition (name) @name) @definition.field
(input_fields_definition (input_value_definition (name) @name) @definition.field)
(enum_value_definition (enum_value (name) @name)) @definition.constant
(directive_definition (name) @name) @definition.macro
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function

(object_type_definition (description (string_value) @doc))
(interface_type_definition (description (string_value) @doc))
(input_object_type_definition (description (string_value) @doc))
(enum_type_definition (description (string_value) @doc))
(field_definition (description (string_value) @doc))
(enum_value_definition (description (string_value) @doc))

(implements_interfaces (named_type (name) @conform))
(object_type_extension (name) @extend)
(fragment_spread (fragment_name (name) @call))
(directive (name) @call)
(named_type (name) @type)
