import { tryPaths } from './path-fuzz-run.ts'

tryPaths(100_000)
