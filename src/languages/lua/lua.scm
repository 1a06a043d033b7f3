(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @receiver field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @receiver method: (identifier) @name)) @definition.method

(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
(assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (_) @receiver field: (string content: (_) @name)))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(table_constructor (field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.function)
(table_constructor (field name: (string content: (_) @name) value: (function_definition body: (_)? @body)) @definition.function)

(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (_) @receiver field: (identifier) @name))) @definition.variable)

(function_call name: (identifier) @call)
(function_call name: (dot_index_expression table: (_) @call.receiver field: (identifier) @call))
(function_call name: (method_index_expression table: (_) @call.receiver method: (identifier) @call))

((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (function_call name: (identifier) @word arguments: (arguments . (string content: (_) @import.source)))))) @import
  (#eq? @word "require"))
((function_call name: (identifier) @word arguments: (arguments . (string content: (_) @import.source))) @import
  (#any-of? @word "require" "dofile" "loadfile"))
