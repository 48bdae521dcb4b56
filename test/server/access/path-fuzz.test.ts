// A few addresses. path-fuzz.long.test.ts tries a hundred thousand.
import { tryPaths } from './path-fuzz-run.ts'

tryPaths(5_000)
