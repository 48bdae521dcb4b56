import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { failureOf } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { paths } from '../../lib/paths.ts'
import { CUSTOM_RANGE, type TimeRange } from '../../lib/time/date-range.ts'
import { useUnsavedChanges } from '../../ui/dialog/unsaved-changes.tsx'
import { SelectField } from '../../ui/input/field.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import type { Customer } from '../customers/customer.ts'
import { type HistoryView, keyOfPoint } from '../points/history-address.ts'
import { changeReport, createReport, REPORT_LISTS } from '../reports/api.ts'
import { type Report, type ReportPoint, reportBody } from '../reports/report.ts'

const ReportDialog = lazy(async () => ({
  default: (await import('../reports/report-dialog.tsx')).ReportDialog
}))

interface SaveReportProps {
  area: Customer
  /** The one that is open. */
  report: Report | null
  view: HistoryView
  range: TimeRange | null
  points: readonly ReportPoint[]
  icon: ReactNode
}

/** Keeps the chart as a report, or what was changed of the one that is open. */
export function SaveReport({ area, report, view, range, points, icon }: SaveReportProps) {
  const { customerId } = area
  const [open, setOpen] = useState(false)
  const [keep, setKeep] = useState<'relative' | 'fixed'>('relative')
  const [, setQuery] = useSearchParams()
  const refresh = useRefresh()
  const changed = report !== null && isChanged(report, view)
  const relative = view.filter !== CUSTOM_RANGE
  const bodyOf = (name: string) =>
    reportBody(name, points, relative && keep === 'fixed' ? CUSTOM_RANGE : view.filter, range)

  async function saveChanges() {
    if (!report) return
    await changeReport(customerId, report.reportId, reportBody(report.reportName, points, view.filter, range))
    await refresh(REPORT_LISTS, `/api/v1/charts-and-reports/${encodeURIComponent(customerId)}/report`)
    toasts.ok(`Report '${report.reportName}' saved.`)
  }

  async function saveNew(name: string) {
    const created = await createReport(customerId, bodyOf(name))
    await refresh(REPORT_LISTS)
    setOpen(false)
    toasts.ok(`Report '${name}' saved.`, {
      label: 'Open',
      to: paths.report(area.customerPath, created.reportId)
    })
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('reportId', created.reportId)
        return next
      },
      { replace: true }
    )
  }

  useUnsavedChanges(changed ? { save: saveChanges } : null)

  const empty = points.length === 0 || range === null
  return (
    <>
      {changed && (
        <button
          type="button"
          className="button primary"
          onClick={() =>
            void saveChanges().catch((error) => toasts.failed(`The report was not saved. ${reason(error)}`))
          }
        >
          {icon}
          Save changes
        </button>
      )}
      <button
        type="button"
        className={changed || report ? 'button' : 'button primary'}
        aria-disabled={empty}
        title={empty ? 'Choose points and a range first' : undefined}
        onClick={() => empty || setOpen(true)}
      >
        {!changed && icon}
        Save as report
      </button>
      {open && (
        <Suspense fallback={null}>
          <ReportDialog
            title="Save as report"
            saveLabel="Save"
            name=""
            onSave={saveNew}
            onCancel={() => setOpen(false)}
            failureText={(error) => `The report was not saved. ${reason(error)}`}
          >
            {relative && (
              <SelectField
                label="Range"
                value={keep}
                onChange={(value) => setKeep(value === 'fixed' ? 'fixed' : 'relative')}
                options={[
                  { value: 'relative', label: `${view.filter}, whenever it is opened` },
                  { value: 'fixed', label: 'The days that show now' }
                ]}
              />
            )}
          </ReportDialog>
        </Suspense>
      )}
    </>
  )
}

function reason(error: unknown): string {
  const { title, text } = failureOf(error)
  return `${title}. ${text}`
}

function isChanged(report: Report, view: HistoryView): boolean {
  const keys = (points: readonly { deviceUuid: string; cloudId: string }[]) => points.map(keyOfPoint).join()
  // Nothing yet: the address is about to take the report up.
  if (view.points.length === 0) return false
  if (keys(report.points.slice(0, view.points.length)) !== keys(view.points)) return true
  if (report.points.length !== view.points.length || report.filter !== view.filter) return true
  return (
    view.filter === CUSTOM_RANGE &&
    (report.range?.fromMs !== view.custom?.fromMs || report.range?.toMs !== view.custom?.toMs)
  )
}
