package io.watershed.log.state;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads this package anew around another {@link LogState}: the production source with one text replaced. So each rule can be broken
 * for a test without a switch in the code that ships.
 */
final class MutantLoader extends ClassLoader {
    private static final String PACKAGE = LogState.class.getPackageName() + ".";
    private static final String SOURCE =
            "src/main/java/" + LogState.class.getName().replace('.', '/') + ".java";

    private final Path classes;

    private MutantLoader(Path classes) {
        super(MutantLoader.class.getClassLoader());
        this.classes = classes;
    }

    static MutantLoader replacing(String text, String replacement, Path directory) throws IOException {
        Path source = Path.of(System.getProperty("basedir", "")).resolve(SOURCE);
        String code = Files.readString(source);
        List<MatchResult> found = wrapped(text).matcher(code).results().toList();
        if (found.size() != 1) {
            throw new IllegalStateException(found.size() + " times, not once, in " + source + ": " + text);
        }
        MatchResult place = found.get(0);
        String mutant = code.substring(0, place.start()) + replacement + code.substring(place.end());
        Path file = Files.writeString(directory.resolve("LogState.java"), mutant);
        compile(file, directory);
        return new MutantLoader(directory);
    }

    /** Finds the text wherever the formatter has broken its lines. */
    private static Pattern wrapped(String text) {
        return Pattern.compile(
                Pattern.compile(" ").splitAsStream(text).map(Pattern::quote).collect(Collectors.joining("\\s+")));
    }

    private static void compile(Path file, Path directory) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("no Java compiler here: run the tests with a JDK");
        }
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-classpath",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")),
                    "-d",
                    directory.toString());
            if (!compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
                    .call()) {
                throw new IllegalStateException("the mutant does not compile: " + messages);
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        Path mutant = classes.resolve(name.replace('.', '/') + ".class");
        try (InputStream original = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (original == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = Files.exists(mutant) ? Files.readAllBytes(mutant) : original.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
