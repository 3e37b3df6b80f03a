package io.watershed.quickstart;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param etcd yours; empty: start one
 * @param kafka yours; empty: start one
 * @param settings {@code KEY=VALUE}, passed on to the processes
 */
record Request(
        Command command,
        Path data,
        int portBase,
        int gateways,
        List<String> etcd,
        String kafka,
        List<String> settings,
        boolean detach,
        boolean sample,
        boolean json) {
    enum Command {
        START,
        STATUS,
        STOP
    }

    private static final Path DEFAULT_DATA = Path.of(".watershed");
    private static final String SEE_HELP = " See bin/quickstart --help.";

    Request {
        etcd = List.copyOf(etcd);
        settings = List.copyOf(settings);
    }

    /** What a command for the same directory says of it: nothing for the default one. */
    String dataOption() {
        return data.equals(DEFAULT_DATA.toAbsolutePath().normalize())
                ? ""
                : " --data " + new DataDirectory(data).typed(data);
    }

    static Request parse(List<String> arguments) throws Refusal {
        Parser parser = new Parser();
        List<String> rest = new ArrayList<>(arguments);
        Command command = Command.START;
        if (!rest.isEmpty() && !rest.get(0).startsWith("-")) {
            command = switch (rest.remove(0)) {
                case "start" -> Command.START;
                case "status" -> Command.STATUS;
                case "stop" -> Command.STOP;
                default -> throw Refusal.usage("There is no command \"" + arguments.get(0) + "\"." + SEE_HELP);
            };
        }
        return parser.parse(command, rest);
    }

    private static final class Parser {
        private static final Set<String> VALUED =
                Set.of("--data", "--port-base", "--gateways", "--etcd", "--kafka", "--set");

        private Path data = DEFAULT_DATA;
        private int portBase = 8080;
        private int gateways = 2;
        private List<String> etcd = List.of();
        private String kafka = "";
        private final List<String> settings = new ArrayList<>();
        private boolean detach;
        private boolean sample = true;
        private boolean json;

        Request parse(Command command, List<String> arguments) throws Refusal {
            for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
                String argument = rest.next();
                int equals = argument.indexOf('=');
                String option = equals < 0 ? argument : argument.substring(0, equals);
                if (!flag(option) || equals >= 0) {
                    option(option, equals >= 0 ? argument.substring(equals + 1) : next(option, rest));
                }
            }
            return new Request(
                    command,
                    data.toAbsolutePath().normalize(),
                    portBase,
                    gateways,
                    etcd,
                    kafka,
                    settings,
                    detach,
                    sample,
                    json);
        }

        private boolean flag(String option) {
            switch (option) {
                case "--detach" -> detach = true;
                case "--no-sample" -> sample = false;
                case "--json" -> json = true;
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void option(String option, String value) throws Refusal {
            if (VALUED.contains(option) && value.isBlank()) {
                throw Refusal.usage(option + " is empty and needs a value." + SEE_HELP);
            }
            switch (option) {
                case "--data" -> data = path(value);
                case "--port-base" -> portBase = number(option, value, 1024, 65_535 - Ports.SPAN);
                case "--gateways" -> gateways = number(option, value, 1, Ports.MOST_GATEWAYS);
                case "--etcd" -> etcd = urls(value);
                case "--kafka" -> kafka = hostAndPort(value);
                case "--set" -> settings.add(setting(value));
                default -> throw Refusal.usage("There is no option " + option + " that takes a value." + SEE_HELP);
            }
        }

        private static String next(String option, Iterator<String> rest) throws Refusal {
            if (!VALUED.contains(option)) {
                throw Refusal.usage("There is no option " + option + "." + SEE_HELP);
            }
            if (!rest.hasNext()) {
                throw Refusal.usage(option + " needs a value." + SEE_HELP);
            }
            return rest.next();
        }

        private static Path path(String value) throws Refusal {
            try {
                return Path.of(value);
            } catch (InvalidPathException e) {
                throw Refusal.usage("--data is \"" + value + "\", which can't be a directory's name here: "
                        + e.getReason() + ". Letters beyond ASCII need a locale that has them, as LC_ALL=C.UTF-8.");
            }
        }

        private static int number(String option, String value, int least, int most) throws Refusal {
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw Refusal.usage(
                        option + " is \"" + value + "\" and must be a number, " + least + " to " + most + ".");
            }
            throw Refusal.usage(option + " is " + value + " and must be " + least + " to " + most + ".");
        }

        private static List<String> urls(String value) throws Refusal {
            List<String> urls = List.of(value.split(",", -1));
            for (String url : urls) {
                if (!url.matches("https?://[^/,\\s]+/?") || URI.create(url).getHost() == null) {
                    throw Refusal.usage("--etcd is \"" + value + "\" and must be URL[,URL], as http://127.0.0.1:2379.");
                }
            }
            return urls;
        }

        private static String hostAndPort(String value) throws Refusal {
            if (!value.matches("[^\\s,:/]+:[0-9]+(,[^\\s,:/]+:[0-9]+)*")) {
                throw Refusal.usage("--kafka is \"" + value + "\" and must be HOST:PORT, as 127.0.0.1:9092.");
            }
            return value;
        }

        private static String setting(String value) throws Refusal {
            if (value.indexOf('=') <= 0) {
                throw Refusal.usage("--set is \"" + value + "\" and must be KEY=VALUE, as kafka.topic.window=2h.");
            }
            return value;
        }
    }
}
