package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataDirectoryTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {"/a/b-1|/a/b-1", "/a/Größe|/a/Größe", "/a/b c|'/a/b c'", "/a/it's|'/a/it'\\''s'", "/a/$b|'/a/$b'"})
    void pathsCanBePastedIntoAShell(String path, String typed) {
        assertThat(new DataDirectory(Path.of("/data")).typed(Path.of(path))).isEqualTo(typed);
    }
}
