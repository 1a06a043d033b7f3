// Lists every call of a Go repository with the definition that the type checker gives it, one line each, as bench/graph/judged-sites.ts reads them.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	given, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(given)
	if err != nil {
		log.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: root, Tests: true}, "./...")
	if err != nil {
		log.Fatal(err)
	}
	sites := map[string]bool{}
	for _, each := range loaded {
		for _, problem := range each.Errors {
			log.Printf("%s: %s", each.PkgPath, problem)
		}
		for _, file := range each.Syntax {
			listCalls(each, file, root, sites)
		}
	}
	lines := make([]string, 0, len(sites))
	for line := range sites {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

func listCalls(pkg *packages.Package, file *ast.File, root string, sites map[string]bool) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, isCall := node.(*ast.CallExpr)
		if !isCall {
			return true
		}
		name := calleeName(call.Fun)
		if name == nil {
			return true
		}
		object := pkg.TypesInfo.Uses[name]
		// Conversions look like calls; builtins have no place.
		if object == nil || object.Pos() == token.NoPos {
			return true
		}
		if _, isType := object.(*types.TypeName); isType {
			return true
		}
		kind := "value"
		if function, isFunction := object.(*types.Func); isFunction {
			kind = "function"
			object = function.Origin()
		}
		at := pkg.Fset.Position(name.Pos())
		path := inside(root, at.Filename)
		if path == "" {
			return true
		}
		target := "-"
		definition := pkg.Fset.Position(object.Pos())
		if to := inside(root, definition.Filename); to != "" {
			target = fmt.Sprintf("%s:%d", to, definition.Line)
		}
		start := pkg.Fset.Position(call.Pos()).Line
		sites[fmt.Sprintf("%s\t%d\t%d\t%s\t%d\t%s\t%s", path, at.Line, at.Column, name.Name, start, kind, target)] = true
		return true
	})
}

func calleeName(callee ast.Expr) *ast.Ident {
	switch each := callee.(type) {
	case *ast.Ident:
		return each
	case *ast.SelectorExpr:
		return each.Sel
	case *ast.ParenExpr:
		return calleeName(each.X)
	case *ast.IndexExpr:
		return calleeName(each.X)
	case *ast.IndexListExpr:
		return calleeName(each.X)
	}
	return nil
}

func inside(root, path string) string {
	relative, err := filepath.Rel(root, path)
	if err != nil || strings.HasPrefix(relative, "..") || filepath.IsAbs(relative) {
		return ""
	}
	return filepath.ToSlash(relative)
}
