// Lists which types of a Go repository implement which of its interfaces, by the type checker. One line a pair, as
// bench/graph/implementers.ts reads them.
package main

import (
	"bufio"
	"fmt"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

type named struct {
	place string
	name  string
	of    types.Type
}

func main() {
	given, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(given)
	if err != nil {
		log.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: root, Tests: true}, "./...")
	if err != nil {
		log.Fatal(err)
	}
	interfaces, others := list(root, loaded)
	lines := map[string]bool{}
	for _, each := range others {
		lines["-\t\t"+each.place] = true
	}
	for _, above := range interfaces {
		lines[fmt.Sprintf("%s\t%s\t", above.place, above.name)] = true
		contract := above.of.Underlying().(*types.Interface)
		for _, each := range others {
			if types.Implements(each.of, contract) || types.Implements(types.NewPointer(each.of), contract) {
				lines[fmt.Sprintf("%s\t%s\t%s", above.place, above.name, each.place)] = true
			}
		}
	}
	sorted := make([]string, 0, len(lines))
	for line := range lines {
		sorted = append(sorted, line)
	}
	sort.Strings(sorted)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range sorted {
		fmt.Fprintln(out, line)
	}
}

// Interfaces that ask for methods, and types that are none; generic ones are left out.
func list(root string, loaded []*packages.Package) (interfaces, others []named) {
	for _, each := range loaded {
		scope := each.Types.Scope()
		for _, name := range scope.Names() {
			object, isType := scope.Lookup(name).(*types.TypeName)
			if !isType || object.IsAlias() {
				continue
			}
			if own, isNamed := object.Type().(*types.Named); !isNamed || own.TypeParams().Len() > 0 {
				continue
			}
			at := each.Fset.Position(object.Pos())
			relative, err := filepath.Rel(root, at.Filename)
			if err != nil || strings.HasPrefix(relative, "..") {
				continue
			}
			found := named{fmt.Sprintf("%s:%d", filepath.ToSlash(relative), at.Line), name, object.Type()}
			if contract, isInterface := object.Type().Underlying().(*types.Interface); isInterface {
				if contract.NumMethods() > 0 {
					interfaces = append(interfaces, found)
				}
			} else {
				others = append(others, found)
			}
		}
	}
	return interfaces, others
}
