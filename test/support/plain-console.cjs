const {Console} = require('node:console')

globalThis.console = new Console(process.stdout, process.stderr)

// oclif adds a listener to it whenever it is loaded, which is once for each test file.
process.stdout.setMaxListeners(0)
