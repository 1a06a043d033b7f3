(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import
[(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import

(namespace_definition name: (namespace_name) @scope.name body: (_)) @scope
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(enum_case name: (name) @name) @definition.constant
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name) @name)) @definition.property
(property_promotion_parameter name: (variable_name) @name) @definition.property
(expression_statement (function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string) @name)))
  (#eq? @_define "define")) @definition.constant

(class_declaration (base_clause [(name) @inherit (qualified_name prefix: (_)? @inherit.receiver (name) @inherit)]))
(interface_declaration (base_clause [(name) @inherit (qualified_name prefix: (_)? @inherit.receiver (name) @inherit)]))
(anonymous_class (base_clause [(name) @inherit (qualified_name prefix: (_)? @inherit.receiver (name) @inherit)]))
(class_interface_clause [(name) @conform (qualified_name prefix: (_)? @conform.receiver (name) @conform)])
(use_declaration [(name) @conform (qualified_name prefix: (_)? @conform.receiver (name) @conform)])

(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name prefix: (_)? @call.receiver (name) @call))
(member_call_expression object: (_) @call.receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @call.receiver name: (name) @call)
(scoped_call_expression scope: (_) @call.receiver name: (name) @call)
(object_creation_expression [(name) @call (qualified_name prefix: (_)? @call.receiver (name) @call)])

(named_type [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
(scoped_call_expression scope: [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
(class_constant_access_expression . [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
(scoped_property_access_expression scope: [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
(binary_expression operator: "instanceof" right: [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
(attribute [(name) @type (qualified_name prefix: (_)? @type.receiver (name) @type)])
