import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Collectors;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Lists every call of a Java repository with the declaration that javac gives it: java --add-exports
 * jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED CallSites.java DIR. One line a call, as bench/graph/judged-sites.ts reads them. Libraries are not
 * on the class path: what depends on them is left out.
 */
public class CallSites {
  private final Path root;
  private final Trees trees;
  private final SourcePositions positions;
  private final Set<String> lines = new TreeSet<>();

  private CallSites(Path root, JavacTask task) {
    this.root = root;
    this.trees = Trees.instance(task);
    this.positions = trees.getSourcePositions();
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]).toRealPath();
    List<File> sources;
    try (var walk = Files.walk(root)) {
      sources =
          walk.filter(path -> path.toString().endsWith(".java"))
              .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
              .filter(path -> !root.relativize(path).toString().contains("build/"))
              .map(Path::toFile)
              .sorted()
              .collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null,
                files,
                problem -> {},
                List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1", "--should-stop=ifError=FLOW", "-XDshould-stop.ifError=FLOW"),
                null,
                files.getJavaFileObjectsFromFiles(sources));
    CallSites judge = new CallSites(root, task);
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    for (CompilationUnitTree unit : units) judge.new Calls(unit).scan(unit, null);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    judge.lines.forEach(out::println);
    out.flush();
  }

  private final class Calls extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;

    Calls(CompilationUnitTree unit) {
      this.unit = unit;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
      ExpressionTree callee = node.getMethodSelect();
      judge(node, callee, trees.getElement(new TreePath(getCurrentPath(), callee)), null);
      return super.visitMethodInvocation(node, nothing);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
      if (node.getMode() == MemberReferenceTree.ReferenceMode.INVOKE)
        judge(node, node, trees.getElement(getCurrentPath()), null);
      return super.visitMemberReference(node, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree node, Void nothing) {
      ExpressionTree type = node.getIdentifier();
      TreePath at = new TreePath(getCurrentPath(), type);
      while (type instanceof ParameterizedTypeTree || type instanceof AnnotatedTypeTree) {
        type =
            type instanceof ParameterizedTypeTree
                ? (ExpressionTree) ((ParameterizedTypeTree) type).getType()
                : ((AnnotatedTypeTree) type).getUnderlyingType();
        at = new TreePath(at, type);
      }
      judge(node, type, trees.getElement(at), node.getClassBody() == null ? trees.getElement(getCurrentPath()) : null);
      return super.visitNewClass(node, nothing);
    }

    private void judge(Tree call, Tree callee, Element meant, Element constructor) {
      String name =
          callee instanceof IdentifierTree
              ? ((IdentifierTree) callee).getName().toString()
              : callee instanceof MemberSelectTree
                  ? ((MemberSelectTree) callee).getIdentifier().toString()
                  : callee instanceof MemberReferenceTree ? ((MemberReferenceTree) callee).getName().toString() : "";
      if (name.isEmpty() || name.equals("this") || name.equals("super")) return;
      if (meant == null || meant.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) return;
      long end = positions.getEndPosition(unit, callee);
      long start = positions.getStartPosition(unit, call);
      if (end < 0 || start < 0) return;
      LineMap map = unit.getLineMap();
      long at = end - name.length();
      Set<String> targets = new TreeSet<>();
      for (Element element : Arrays.asList(meant, constructor)) {
        String place = element == null ? null : placeOf(element);
        if (place != null) targets.add(place);
      }
      lines.add(
          String.join(
              "\t",
              pathOf(unit),
              Long.toString(map.getLineNumber(at)),
              Long.toString(map.getColumnNumber(at)),
              name,
              Long.toString(map.getLineNumber(start)),
              "function",
              targets.isEmpty() ? "-" : String.join("|", targets)));
    }
  }

  private String placeOf(Element element) {
    TreePath path = trees.getPath(element);
    if (path == null) return null;
    CompilationUnitTree unit = path.getCompilationUnit();
    int at = ((com.sun.tools.javac.tree.JCTree) path.getLeaf()).pos;
    return pathOf(unit) + ":" + unit.getLineMap().getLineNumber(at);
  }

  private String pathOf(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace(File.separatorChar, '/');
  }
}
