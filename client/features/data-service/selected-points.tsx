import ChartLine from 'lucide-react/icons/chart-line'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { DEFAULT_DATE_FILTER } from '../../lib/time/date-range.ts'
import { toasts } from '../../ui/state/toasts.ts'
import type { Customer } from '../customers/customer.ts'
import { FIRST_HISTORY, writeHistoryView } from '../points/history-address.ts'
import { useSelectedPoints } from '../points/selected-points.ts'
import { SelectedPointsBar } from '../points/selected-points-bar.tsx'
import { useReportChanges } from '../reports/api.ts'
import { reportBody } from '../reports/report.ts'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { useSession } from '../session/session.ts'

export function ServiceSelection({ area }: { area: Customer }) {
  const { flags } = useSession()
  const { selected, points } = useSelectedPoints(area.customerId)
  const [naming, setNaming] = useState(false)
  const navigate = useNavigate()
  const { create } = useReportChanges()
  const [first] = points
  if (!first) return null

  async function save(name: string) {
    const customer = { id: area.customerId, orgName: area.orgName ?? '' }
    const reportId = await create(customer, reportBody(name, points, DEFAULT_DATE_FILTER, null))
    setNaming(false)
    toasts.ok(`Report '${name}' saved.`, {
      label: 'Open',
      to: paths.report(area.customerPath, reportId)
    })
  }

  function saveList() {
    const columns = [
      { header: 'Device', value: (point: (typeof points)[number]) => point.deviceName },
      { header: 'Point', value: (point: (typeof points)[number]) => point.pointName },
      { header: 'Device UUID', value: (point: (typeof points)[number]) => point.deviceUuid },
      { header: 'Cloud id', value: (point: (typeof points)[number]) => point.cloudId }
    ]
    saveFile(fileName(['points', area.orgName ?? ''], 'csv'), csvOf(columns, points))
  }

  return (
    <SelectedPointsBar points={points} onRemove={selected.remove} onClear={selected.clear}>
      {area.can('data:export') && (
        <button type="button" className="button" onClick={saveList}>
          Export
        </button>
      )}
      {area.can('reports:create') && (
        <button type="button" className="button" onClick={() => setNaming(true)}>
          Save as report
        </button>
      )}
      {flags.enableHistoryCharting && (
        <button
          type="button"
          className="button primary"
          onClick={() =>
            navigate(
              `${paths.history(area.customerPath, first.deviceUuid)}&${writeHistoryView({ ...FIRST_HISTORY, points })}`
            )
          }
        >
          <ChartLine />
          Show history
        </button>
      )}
      {naming && (
        <ReportDialog
          title="Save as report"
          saveLabel="Save"
          name=""
          onSave={save}
          onCancel={() => setNaming(false)}
          failureText={(error) => `The report was not saved. ${failureOf(error).title}.`}
        />
      )}
    </SelectedPointsBar>
  )
}
