(preproc_include) @import
(using_declaration) @import

(namespace_definition name: (namespace_identifier) @name) @definition.module
(namespace_definition name: (nested_namespace_specifier) @name) @definition.module

(type_definition type: (struct_specifier name: (type_identifier) @name body: (_) @body)) @definition.struct
(type_definition type: (union_specifier name: (type_identifier) @name body: (_) @body)) @definition.struct
(type_definition type: (enum_specifier name: (type_identifier) @name body: (_) @body)) @definition.enum
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(class_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (_)) @definition.class
(struct_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (_)) @definition.struct
(union_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (_)) @definition.struct
(enum_specifier name: [(type_identifier) (qualified_identifier)] @name body: (_)) @definition.enum
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
]) @definition.type

; TEST(Suite, Name) { … }: the test is what is defined, not the macro.
(function_definition !type declarator: (function_declarator
  declarator: (identifier) @call
  parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) @receiver !declarator)
    . (parameter_declaration type: [(type_identifier) (primitive_type)] @name !declarator) .))
  (#match? @call "TEST")) @definition.function

(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
  (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name)))
  (pointer_declarator declarator: (reference_declarator (function_declarator declarator: (qualified_identifier) @name)))
]) @definition.method
(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (template_function)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (template_function)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (template_function)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name)))
]) @definition.function
(function_definition declarator: (operator_cast) @name) @definition.method
(function_definition declarator: (qualified_identifier name: [(operator_cast) (qualified_identifier name: (operator_cast))]) @name) @definition.method

(enumerator name: (identifier) @name) @definition.constant
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

; Members: prototypes of methods, then fields. Constructors, destructors and conversions have no type and are plain declarations.
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @definition.method
(field_declaration_list (declaration declarator: [
  (function_declarator declarator: [(identifier) (destructor_name) (operator_name)] @name)
  (operator_cast) @name
]) @definition.method)
(field_declaration_list (template_declaration (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.method))
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @definition.field

(translation_unit (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function)
(declaration_list (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function)
(declaration_list (template_declaration (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function))
(translation_unit (template_declaration (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function))
(preproc_ifdef (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function)
(preproc_ifdef (template_declaration (declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @definition.function))
(translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  (init_declarator declarator: (qualified_identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (qualified_identifier) @name))
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))))
]) @definition.variable)
(preproc_ifdef (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  (init_declarator declarator: (qualified_identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (qualified_identifier) @name))
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))))
]) @definition.variable)
(declaration_list (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: (identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  (init_declarator declarator: (qualified_identifier) @name)
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))))
]) @definition.variable)

((access_specifier "public") @visibility.public)
((access_specifier "protected") @visibility.protected)
((access_specifier "private") @visibility.private)

(base_class_clause [
  (type_identifier) @inherit
  (template_type name: (type_identifier) @inherit)
  (qualified_identifier scope: (_) @inherit.receiver name: (type_identifier) @inherit)
  (qualified_identifier scope: (_) @inherit.receiver name: (template_type name: (type_identifier) @inherit))
  (qualified_identifier name: (qualified_identifier scope: (_) @inherit.receiver name: (type_identifier) @inherit))
  (qualified_identifier name: (qualified_identifier scope: (_) @inherit.receiver name: (template_type name: (type_identifier) @inherit)))
])

(call_expression function: (identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression argument: (_) @call.receiver field: (field_identifier) @call))
(call_expression function: (field_expression argument: (_) @call.receiver field: (template_method name: (field_identifier) @call)))
(call_expression function: (qualified_identifier scope: (_) @call.receiver name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @call.receiver name: (template_function name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @call.receiver name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @call.receiver name: (template_function name: (identifier) @call))))
(new_expression type: (type_identifier) @call)
(new_expression type: (template_type name: (type_identifier) @call))
(new_expression type: (qualified_identifier scope: (_) @call.receiver name: (type_identifier) @call))
(new_expression type: (qualified_identifier name: (qualified_identifier scope: (_) @call.receiver name: (type_identifier) @call)))

(type_identifier) @type
