import { type AuditFilter, type AuditOrder, allEntries } from '../../api/audit-log.ts'
import { ListExport } from '../../deeds/list-export.tsx'
import { type AuditEntry, sentenceOf } from '../../lib/audit-sentences.ts'

const COLUMNS = [
  { header: 'Time', value: ({ timestamp }: AuditEntry) => timestamp },
  { header: 'Who', value: ({ actor }: AuditEntry) => actor.name },
  { header: 'E-mail', value: ({ actor }: AuditEntry) => actor.email },
  { header: 'Kind', value: ({ actor }: AuditEntry) => actor.type },
  { header: 'Action', value: ({ action }: AuditEntry) => action },
  { header: 'What', value: sentenceOf },
  { header: 'Object type', value: ({ resource }: AuditEntry) => resource.type },
  { header: 'Object', value: ({ resource }: AuditEntry) => resource.name },
  { header: 'Object id', value: ({ resource }: AuditEntry) => resource.id },
  { header: 'Customer', value: ({ customerName }: AuditEntry) => customerName },
  { header: 'Outcome', value: ({ outcome }: AuditEntry) => outcome },
  { header: 'IP address', value: ({ ipAddress }: AuditEntry) => ipAddress },
  { header: 'Request', value: ({ correlationId }: AuditEntry) => correlationId }
]

interface AuditExportProps {
  organizationId: string
  filter: AuditFilter
  order: AuditOrder
  total: number
}

/** The filtered log as a file. */
export function AuditExport({ organizationId, filter, order, total }: AuditExportProps) {
  return (
    <ListExport
      file="audit-log"
      nouns={['entry', 'entries']}
      total={total}
      columns={COLUMNS}
      read={(max, signal) => allEntries(organizationId, filter, order, max, signal)}
      json
    />
  )
}
