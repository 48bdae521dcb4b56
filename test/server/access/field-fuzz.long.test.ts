import { tryFields } from './field-fuzz-run.ts'

tryFields(200, 60)
