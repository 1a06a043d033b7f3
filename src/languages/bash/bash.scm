(function_definition name: (word) @name) @definition.function

(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.constant)
(program (declaration_command (variable_name) @name) @definition.variable)
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name)) @definition.variable)
((command name: (command_name (word) @word) argument: (concatenation . (word) @name)) @definition.macro (#eq? @word "alias"))
((command name: (command_name (word) @word) argument: (word) @name) @definition.macro (#eq? @word "alias") (#match? @name "="))

(command name: (command_name (word) @call))

((command name: (command_name (word) @word)) @import (#any-of? @word "source" "."))
