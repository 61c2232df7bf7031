// Loaded when it is needed, by a module of our own: what a bundler makes of a CommonJS package that is loaded so has no
// names.
export {isMap, isScalar, isSeq, LineCounter, parseDocument} from 'yaml'
