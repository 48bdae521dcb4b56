import ChartLine from 'lucide-react/icons/chart-line'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { failureOf } from '../../api/api-error.ts'
import { createReport, REPORT_LISTS } from '../../api/reports.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { PointTrayBar } from '../../components/point-tray-bar.tsx'
import { ReportDialog } from '../../components/report-dialog.tsx'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { DEFAULT_DATE_FILTER } from '../../lib/date-range.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../lib/history-view.ts'
import { reportBody } from '../../lib/report.ts'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { usePointTray } from '../../session/use-point-tray.ts'

/** What can be done with the points that were gathered. */
export function ServiceTray({ area }: { area: CustomerArea }) {
  const { flags } = useSession()
  const { tray, points } = usePointTray(area.customerId)
  const [naming, setNaming] = useState(false)
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [first] = points
  if (!first) return null

  async function save(name: string) {
    const report = await createReport(area.customerId, reportBody(name, points, DEFAULT_DATE_FILTER, null))
    await refresh(REPORT_LISTS)
    setNaming(false)
    toasts.ok(`Report '${name}' saved.`, {
      label: 'Open',
      to: paths.report(area.customerPath, report.reportId)
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
    <PointTrayBar points={points} onRemove={tray.remove} onClear={tray.clear}>
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
    </PointTrayBar>
  )
}
