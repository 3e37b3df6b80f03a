package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    @Test
    void saysInWordsWhatIsWrongWithAFile() {
        assertThat(List.of(
                        Refusal.reason(new AccessDeniedException("/a/b")),
                        Refusal.reason(new FileAlreadyExistsException("/a/b")),
                        Refusal.reason(new NoSuchFileException("/a/b")),
                        Refusal.reason(new FileSystemException("/a/b", null, "Read-only file system")),
                        Refusal.reason(new IOException("No space left on device"))))
                .containsExactly(
                        "/a/b may not be read or written by this user",
                        "/a/b is a file and no directory",
                        "/a/b is not there, or can't be made there",
                        "/a/b: Read-only file system",
                        "No space left on device");
    }
}
