import ChartLine from 'lucide-react/icons/chart-line'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type CsvColumn, csvOf, fileName } from '#shared/csv.ts'
import { DEFAULT_DATE_FILTER } from '#shared/time/date-ranges.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useSession } from '../../../lib/session/session.ts'
import type { Customer } from '../../sites/customers/customer.tsx'
import { historyAddress } from '../points/history-address.ts'
import { type SelectedPoint, useSelectedPoints } from '../points/selected-points.ts'
import { SelectedPointsBar } from '../points/selected-points-bar.tsx'
import { reportBody } from '../reports/report.ts'
import { SaveReportDialog } from '../reports/report-dialog.tsx'

export function SelectedPointsActions({ area }: { area: Customer }) {
  const { flags } = useSession()
  const { points, select } = useSelectedPoints(area.customerId)
  const [dialogOpen, setDialogOpen] = useState(false)
  const navigate = useNavigate()
  const [first] = points
  if (!first) return null

  function saveList() {
    const columns: CsvColumn<SelectedPoint>[] = [
      { header: 'Device', value: ({ deviceName }) => deviceName },
      { header: 'Point', value: ({ pointName }) => pointName },
      { header: 'Device UUID', value: ({ deviceUuid }) => deviceUuid },
      { header: 'Cloud id', value: ({ cloudId }) => cloudId }
    ]
    saveFile(fileName(['points', area.orgName ?? ''], 'csv'), csvOf(columns, points))
  }

  return (
    <SelectedPointsBar points={points} onChange={select}>
      {area.can('data:export') && (
        <button type="button" className="button" onClick={saveList}>
          Export
        </button>
      )}
      {area.can('reports:create') && (
        <button type="button" className="button" onClick={() => setDialogOpen(true)}>
          Save as report
        </button>
      )}
      {flags.enableHistoryCharting && (
        <button
          type="button"
          className="button primary"
          onClick={() => navigate(historyAddress(area.customerPath, first.deviceUuid, { points }))}
        >
          <ChartLine />
          Show history
        </button>
      )}
      {dialogOpen && (
        <SaveReportDialog
          area={area}
          bodyOf={(name) => reportBody(name, points, DEFAULT_DATE_FILTER, null)}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </SelectedPointsBar>
  )
}
