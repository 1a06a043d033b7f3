(package_declaration [(scoped_identifier) (identifier)] @package)

(import_declaration (scoped_identifier name: (identifier) @import.name) @import.source . ";") @import
(import_declaration (identifier) @import.source @import.name . ";") @import
(import_declaration [(scoped_identifier) (identifier)] @import.source (asterisk) @import.name) @import
(module_declaration (module_body (requires_module_directive module: (_) @import.source) @import))

(module_declaration name: (_) @name) @definition.module
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(enum_constant name: (identifier) @name) @definition.constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))

(superclass [
  (type_identifier) @inherit
  (scoped_type_identifier (_) @inherit.receiver (type_identifier) @inherit .)
  (generic_type . (type_identifier) @inherit)
  (generic_type . (scoped_type_identifier (_) @inherit.receiver (type_identifier) @inherit .))
])
(super_interfaces (type_list [
  (type_identifier) @conform
  (scoped_type_identifier (_) @conform.receiver (type_identifier) @conform .)
  (generic_type . (type_identifier) @conform)
  (generic_type . (scoped_type_identifier (_) @conform.receiver (type_identifier) @conform .))
]))
(extends_interfaces (type_list [
  (type_identifier) @inherit
  (scoped_type_identifier (_) @inherit.receiver (type_identifier) @inherit .)
  (generic_type . (type_identifier) @inherit)
  (generic_type . (scoped_type_identifier (_) @inherit.receiver (type_identifier) @inherit .))
]))

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @call.receiver name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type . (type_identifier) @call))
(object_creation_expression type: (scoped_type_identifier (_) @call.receiver (type_identifier) @call .))
(object_creation_expression type: (generic_type . (scoped_type_identifier (_) @call.receiver (type_identifier) @call .)))
(explicit_constructor_invocation constructor: (super) @call)
(method_reference . (_) @call.receiver (identifier) @call .)

(type_identifier) @type
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)
(record_pattern . (identifier) @type)
