(using_directive) @import
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @package)

(namespace_declaration name: (_) @name) @definition.module
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(destructor_declaration "~" @name name: (identifier)) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(operator_declaration operator: _ @name) @definition.method
(conversion_operator_declaration "operator" @name) @definition.method
(indexer_declaration "this" @name) @definition.property
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(enum_member_declaration name: (identifier) @name) @definition.constant
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))

(base_list [
  (identifier) @conform
  (generic_name . (identifier) @conform)
  (qualified_name qualifier: (_) @conform.receiver name: (identifier) @conform)
  (qualified_name qualifier: (_) @conform.receiver name: (generic_name . (identifier) @conform))
] (#match? @conform "^I[A-Z]"))
(base_list [
  (identifier) @inherit
  (generic_name . (identifier) @inherit)
  (qualified_name qualifier: (_) @inherit.receiver name: (identifier) @inherit)
  (qualified_name qualifier: (_) @inherit.receiver name: (generic_name . (identifier) @inherit))
] (#not-match? @inherit "^I[A-Z]"))

; `record Order(int Id) : Entity(Id)`: what is handed over in the list is a class.
(primary_constructor_base_type type: [
  (identifier) @inherit
  (generic_name . (identifier) @inherit)
  (qualified_name qualifier: (_) @inherit.receiver name: (identifier) @inherit)
  (qualified_name qualifier: (_) @inherit.receiver name: (generic_name . (identifier) @inherit))
])

(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name . (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @call.receiver name: (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @call.receiver name: (generic_name . (identifier) @call)))
(invocation_expression function: (conditional_access_expression condition: (_) @call.receiver (member_binding_expression name: (identifier) @call)))
(invocation_expression function: (conditional_access_expression condition: (_) @call.receiver (member_binding_expression name: (generic_name . (identifier) @call))))
(constructor_initializer "base" @call)
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name . (identifier) @call))
(object_creation_expression type: (qualified_name qualifier: (_) @call.receiver name: (identifier) @call))
(object_creation_expression type: (qualified_name qualifier: (_) @call.receiver name: (generic_name . (identifier) @call)))

(generic_name . (identifier) @type)
(type_argument_list (identifier) @type)
(parameter type: (identifier) @type)
(variable_declaration type: (identifier) @type)
(property_declaration type: (identifier) @type)
(method_declaration returns: (identifier) @type)
(delegate_declaration type: (identifier) @type)
(array_type type: (identifier) @type)
(nullable_type type: (identifier) @type)
(cast_expression type: (identifier) @type)
(typeof_expression type: (identifier) @type)
(as_expression right: (identifier) @type)
(is_expression right: (identifier) @type)
(declaration_pattern type: (identifier) @type)
(catch_declaration type: (identifier) @type)
(type_parameter_constraint type: (identifier) @type)
(attribute name: (identifier) @type)
(tuple_element type: (identifier) @type)
(parameter type: (qualified_name qualifier: (_) @type.receiver name: (identifier) @type))
(variable_declaration type: (qualified_name qualifier: (_) @type.receiver name: (identifier) @type))
