const {Console} = require('node:console')

globalThis.console = new Console(process.stdout, process.stderr)
