package io.watershed.quickstart;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Ends the program: the message is for the person at the terminal and names place and remedy. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    /** The command line was wrong. */
    static final int USAGE = 2;

    static final int FAILURE = 1;

    private final int exitCode;

    private Refusal(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static Refusal usage(String message) {
        return new Refusal(USAGE, message);
    }

    static Refusal failure(String message) {
        return new Refusal(FAILURE, message);
    }

    /** What went wrong with a file, in words: the JDK's texts often are the file's name and nothing else. */
    static String reason(IOException failure) {
        if (!(failure instanceof FileSystemException file)) {
            return failure.getMessage() == null ? failure.toString() : failure.getMessage();
        }
        String name = file.getFile() == null ? "a file" : file.getFile();
        if (file instanceof AccessDeniedException) {
            return name + " may not be read or written by this user";
        }
        if (file instanceof FileAlreadyExistsException) {
            return name + " is a file and no directory";
        }
        if (file instanceof NoSuchFileException) {
            return name + " is not there, or can't be made there";
        }
        return name + ": " + (file.getReason() == null ? file.getClass().getSimpleName() : file.getReason());
    }

    int exitCode() {
        return exitCode;
    }
}
