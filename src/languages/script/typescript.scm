; Definitions. Shared by TypeScript and TSX.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: [(identifier) (nested_identifier)] @name) @definition.module
(module name: [(string) (identifier) (nested_identifier)] @name) @definition.module

(enum_body name: (property_identifier) @name @definition.constant)
(enum_assignment name: (property_identifier) @name) @definition.constant

(method_definition name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name (member_expression))] @name) @definition.method
(method_signature name: [(property_identifier) (private_property_identifier) (string)] @name) @definition.method
(abstract_method_signature name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(interface_body (property_signature name: [(property_identifier) (string)] @name) @definition.property)
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @definition.property
(optional_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @definition.property

(variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class

(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (_ (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (_ (variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)
])) @definition.variable))
(ambient_declaration (_ (variable_declarator name: (identifier) @name) @definition.variable))

(assignment_expression
  left: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name)
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: (class body: (_) @body)) @definition.class
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
(class name: (type_identifier) @name) @definition.class

; Inheritance
(extends_clause value: (identifier) @inherit)
(extends_clause value: (member_expression object: (_) @inherit.receiver property: (property_identifier) @inherit))
(implements_clause (type_identifier) @conform)
(implements_clause (generic_type name: (type_identifier) @conform))
(implements_clause (generic_type name: (nested_type_identifier module: (_) @conform.receiver name: (type_identifier) @conform)))
(implements_clause (nested_type_identifier module: (_) @conform.receiver name: (type_identifier) @conform))
(extends_type_clause type: (type_identifier) @inherit)
(extends_type_clause type: (generic_type name: (type_identifier) @inherit))
(extends_type_clause type: (generic_type name: (nested_type_identifier module: (_) @inherit.receiver name: (type_identifier) @inherit)))
(extends_type_clause type: (nested_type_identifier module: (_) @inherit.receiver name: (type_identifier) @inherit))

; References
(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @call.receiver property: [(property_identifier) (private_property_identifier)] @call))
(call_expression function: (super) @call)
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression object: (_) @call.receiver property: (property_identifier) @call))
(decorator (identifier) @call)
(nested_type_identifier module: (_) @type.receiver name: (type_identifier) @type)
(type_identifier) @type

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
