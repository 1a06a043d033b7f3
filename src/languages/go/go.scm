; Definitions
(function_declaration name: (identifier) @name) @definition.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @receiver
        (generic_type type: (type_identifier) @receiver)
        (pointer_type (type_identifier) @receiver)
        (pointer_type (generic_type type: (type_identifier) @receiver))
        (parenthesized_type (pointer_type (type_identifier) @receiver))
      ]))
  name: (field_identifier) @name) @definition.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type

; Without the field: it also labels the commas, and then only the first name matches.
(const_spec (identifier) @name) @definition.constant
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(field_declaration name: (field_identifier) @name) @definition.field
(method_elem name: (field_identifier) @name) @definition.method

; Embedded types
(field_declaration !name type: (type_identifier) @inherit)
(field_declaration !name type: (qualified_type package: (package_identifier) @inherit.receiver name: (type_identifier) @inherit))
(field_declaration !name type: (generic_type type: (type_identifier) @inherit))
(interface_type (type_elem . (type_identifier) @inherit .))
(interface_type (type_elem . (qualified_type package: (package_identifier) @inherit.receiver name: (type_identifier) @inherit) .))

; References
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @call.receiver field: (field_identifier) @call))
(call_expression function: (type_instantiation_expression type: (type_identifier) @call))
(qualified_type package: (package_identifier) @type.receiver name: (type_identifier) @type)
(type_identifier) @type

; Functions as values
(argument_list (identifier) @read)
(literal_element (identifier) @read)

; Imports
(import_spec) @import
(package_clause (package_identifier) @package)
