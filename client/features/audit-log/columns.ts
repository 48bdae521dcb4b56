import { fileColumn, type ListColumn } from '../../ui/list/columns/column.ts'
import { type AuditEntry, sentenceOf } from './audit-sentences.ts'

/** What the file of the log holds; on the screen an entry is a sentence. */
export const AUDIT_COLUMNS: ListColumn<AuditEntry>[] = [
  fileColumn('Time', ({ timestamp }) => timestamp),
  fileColumn('Who', ({ actor }) => actor.name),
  fileColumn('E-mail', ({ actor }) => actor.email),
  fileColumn('Kind', ({ actor }) => actor.type),
  fileColumn('Action', ({ action }) => action),
  fileColumn('What', sentenceOf),
  fileColumn('Object type', ({ resource }) => resource.type),
  fileColumn('Object', ({ resource }) => resource.name),
  fileColumn('Object id', ({ resource }) => resource.id),
  fileColumn('Device', ({ device }) => device?.name),
  fileColumn('Customer', ({ customerName }) => customerName),
  fileColumn('Outcome', ({ outcome }) => outcome),
  fileColumn('IP address', ({ ipAddress }) => ipAddress),
  fileColumn('Request', ({ correlationId }) => correlationId)
]
