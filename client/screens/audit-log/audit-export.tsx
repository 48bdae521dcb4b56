import Download from 'lucide-react/icons/download'
import { useRef, useState } from 'react'
import { failureOf, isAbort } from '../../api/api-error.ts'
import { type AuditFilter, type AuditOrder, allEntries } from '../../api/audit-log.ts'
import { MenuButton } from '../../components/menu-button.tsx'
import { type AuditEntry, sentenceOf } from '../../lib/audit-sentences.ts'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { formatNumber } from '../../lib/format.ts'
import { toasts } from '../../lib/toasts.ts'

const ENTRIES_MAX = 5_000

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

/** The filtered log as a file. More than fits is said, not cut in silence. */
export function AuditExport({ organizationId, filter, order, total }: AuditExportProps) {
  const [busy, setBusy] = useState(false)
  const work = useRef<AbortController>(null)
  const tooMany = total > ENTRIES_MAX

  async function save(format: 'csv' | 'json') {
    const controller = new AbortController()
    work.current = controller
    setBusy(true)
    try {
      const entries = await allEntries(organizationId, filter, order, ENTRIES_MAX, controller.signal)
      const name = fileName(['audit-log', new Date().toISOString().slice(0, 10)], format)
      if (format === 'csv') saveFile(name, csvOf(COLUMNS, entries))
      else saveFile(name, JSON.stringify(entries, null, 2), 'application/json')
      toasts.ok(`${formatNumber(entries.length)} entries saved.`)
    } catch (error) {
      if (!isAbort(error))
        toasts.failed(failureOf(error).text, { label: 'Retry', onAct: () => void save(format) })
    } finally {
      setBusy(false)
    }
  }

  if (busy) {
    return (
      <button type="button" className="button" onClick={() => work.current?.abort()}>
        Stop export
      </button>
    )
  }
  const reason = tooMany ? `Narrow the filter to ${formatNumber(ENTRIES_MAX)} entries` : null
  return (
    <MenuButton
      label="Export"
      className="button"
      items={(['csv', 'json'] as const).map((format) => ({
        label: `As ${format.toUpperCase()}`,
        disabledReason: total === 0 ? 'There is nothing to export' : reason,
        onSelect: () => void save(format)
      }))}
    >
      <Download />
      Export
    </MenuButton>
  )
}
