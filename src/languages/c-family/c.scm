(preproc_include path: (_) @import.source) @import

; A typedef's struct, union or enum is the definition itself; its tag and its names are brothers.
(type_definition type: (struct_specifier name: (type_identifier) @name body: (_) @body)) @definition.struct
(type_definition type: (union_specifier name: (type_identifier) @name body: (_) @body)) @definition.struct
(type_definition type: (enum_specifier name: (type_identifier) @name body: (_) @body)) @definition.enum
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
]) @definition.type

(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  (function_declarator declarator: (parenthesized_declarator (identifier) @name))
]) @definition.function

; TEST_IMPL(name) { … }: read as a type and a name in parentheses, which is just what such macros mean.
(function_definition type: (type_identifier) @call declarator: (parenthesized_declarator (identifier) @name)) @definition.function

(enumerator name: (identifier) @name) @definition.constant
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
  (array_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))
]) @definition.field

; Prototypes and variables of the file; inside of functions they are local.
(translation_unit (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function)
(preproc_ifdef (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function)
(preproc_if (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(preproc_else (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(declaration_list (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
]) @definition.function)
(translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])
  (array_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ])))
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)
    ])
    (array_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])))
  ])
]) @definition.variable)
(preproc_ifdef (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])
  (array_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
  ])))
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)
    ])
    (array_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])))
  ])
]) @definition.variable)

(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @call.receiver field: (field_identifier) @call))

; Functions in tables and in fields: how C passes callbacks.
(initializer_list (identifier) @read)
(initializer_pair value: (identifier) @read)
(assignment_expression left: (field_expression) right: (identifier) @read)

(type_identifier) @type
