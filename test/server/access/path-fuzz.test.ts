// path-fuzz.long.test.ts tries more addresses.
import { tryPaths } from './path-fuzz-run.ts'

tryPaths(5_000)
