import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Collectors;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.tools.*;

/**
 * Lists what each class and interface of a Java repository extends or implements, as javac resolves it: java
 * --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED Supertypes.java DIR. One line a pair, as
 * bench/graph/implementers.ts reads them. Anonymous classes have no name and are left out.
 */
public class Supertypes {
  private final Path root;
  private final Trees trees;
  private final Set<String> lines = new TreeSet<>();

  private Supertypes(Path root, JavacTask task) {
    this.root = root;
    this.trees = Trees.instance(task);
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
    List<String> options = List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1", "--should-stop=ifError=FLOW");
    JavacTask task =
        (JavacTask)
            compiler.getTask(null, files, problem -> {}, options, null, files.getJavaFileObjectsFromFiles(sources));
    Supertypes judge = new Supertypes(root, task);
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    for (CompilationUnitTree unit : units) judge.new Classes().scan(unit, null);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    judge.lines.forEach(out::println);
    out.flush();
  }

  private final class Classes extends TreePathScanner<Void, Void> {
    @Override
    public Void visitClass(ClassTree node, Void nothing) {
      Element element = trees.getElement(getCurrentPath());
      if (element instanceof TypeElement && !node.getSimpleName().toString().isEmpty()) list((TypeElement) element);
      return super.visitClass(node, nothing);
    }

    private void list(TypeElement type) {
      String own = placeOf(type);
      if (own == null) return;
      lines.add("-\t\t" + own);
      lines.add(own + "\t" + type.getSimpleName() + "\t");
      List<TypeMirror> above = new ArrayList<>(type.getInterfaces());
      above.add(type.getSuperclass());
      for (TypeMirror each : above) {
        if (each.getKind() != TypeKind.DECLARED) continue;
        Element element = ((DeclaredType) each).asElement();
        String place = placeOf(element);
        if (place != null) lines.add(place + "\t" + element.getSimpleName() + "\t" + own);
      }
    }
  }

  private String placeOf(Element element) {
    TreePath path = trees.getPath(element);
    if (path == null) return null;
    CompilationUnitTree unit = path.getCompilationUnit();
    int at = ((com.sun.tools.javac.tree.JCTree) path.getLeaf()).pos;
    String file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace(File.separatorChar, '/');
    try {
      String text = unit.getSourceFile().getCharContent(true).toString();
      int name = text.indexOf(element.getSimpleName().toString(), at);
      return file + ":" + unit.getLineMap().getLineNumber(name < 0 ? at : name);
    } catch (java.io.IOException problem) {
      return file + ":" + unit.getLineMap().getLineNumber(at);
    }
  }
}
