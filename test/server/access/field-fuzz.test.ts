// A few bodies and queries for each row of the table. field-fuzz.long.test.ts tries more.
import { tryFields } from './field-fuzz-run.ts'

tryFields(6, 6)
