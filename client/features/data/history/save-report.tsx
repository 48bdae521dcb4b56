import Save from 'lucide-react/icons/save'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CUSTOM_RANGE } from '#shared/time/date-ranges.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { type DirtyForm, useUnsavedChanges } from '../../../ui/dialog/unsaved-changes.tsx'
import { SelectField } from '../../../ui/input/field.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { Customer } from '../../sites/customers/customer.tsx'
import { type HistoryView, keyOfPoint, writeHistoryView } from '../points/history-address.ts'
import { useReportChanges } from '../reports/api.ts'
import { keysOfReport, type Report, reportBody } from '../reports/report.ts'
import { failed, SaveReportDialog } from '../reports/report-dialog.tsx'
import type { History } from './use-history.ts'

interface SaveReportProps {
  area: Customer
  report: Report | null
  history: History
}

export function SaveReport({ area, report, history }: SaveReportProps) {
  const { view, range, chosen, knownNamesOf } = history
  const [open, setOpen] = useState(false)
  const [rangeKind, setRangeKind] = useState('relative')
  const [, setQuery] = useSearchParams()
  const { change } = useReportChanges({ id: area.customerId, orgName: area.orgName ?? '' })
  const hasChanges = report !== null && isChanged(report, view)
  const isRelative = view.filter !== CUSTOM_RANGE
  const bodyOf = (name: string, filter = view.filter) => {
    const points = chosen.map((chosenPoint) => ({
      ...chosenPoint,
      ...knownNamesOf(chosenPoint)
    }))
    return reportBody(name, points, filter, range)
  }

  async function saveChanges() {
    if (!report) return
    await change(report.reportId, bodyOf(report.reportName))
    toasts.ok(`Report '${report.reportName}' saved.`)
  }

  const saving = useMutation({
    mutationFn: saveChanges,
    onError: (error) => toasts.failed(failed('saved')(error))
  })

  // Also the new report under which this view has just been saved.
  const ownIds = useRef([report?.reportId])
  const keeps: DirtyForm['keeps'] = (next, current) =>
    next.pathname === current.pathname &&
    ownIds.current.includes(new URLSearchParams(next.search).get('reportId') ?? '')

  function openSaved(reportId: string) {
    ownIds.current.push(reportId)
    setQuery((current) => writeHistoryView({ ...view, reportId }, current), { replace: true })
  }

  const isEmpty = chosen.length === 0 || range === null
  useUnsavedChanges(hasChanges ? (isEmpty ? { keeps } : { keeps, save: saveChanges }) : null)

  return (
    <>
      {hasChanges && (
        <button
          type="button"
          className="button primary"
          aria-busy={saving.isPending}
          onClick={() => saving.mutate()}
        >
          <Save />
          Save changes
        </button>
      )}
      <button
        type="button"
        className={hasChanges || report ? 'button' : 'button primary'}
        aria-disabled={isEmpty}
        title={isEmpty ? 'Choose points and a range first' : undefined}
        onClick={() => isEmpty || setOpen(true)}
      >
        {!hasChanges && <Save />}
        Save as report
      </button>
      {open && (
        <SaveReportDialog
          area={area}
          bodyOf={(name) => bodyOf(name, isRelative && rangeKind === 'fixed' ? CUSTOM_RANGE : view.filter)}
          onSaved={openSaved}
          onClose={() => setOpen(false)}
        >
          {isRelative && (
            <SelectField
              label="Range"
              value={rangeKind}
              onChange={setRangeKind}
              options={[
                { value: 'relative', label: `${view.filter}, as of the day it is opened` },
                { value: 'fixed', label: 'The days shown now' }
              ]}
            />
          )}
        </SaveReportDialog>
      )}
    </>
  )
}

function isChanged(report: Report, view: HistoryView): boolean {
  // The points of the report are not in the address yet.
  if (view.points.length === 0) return false
  const keys = keysOfReport(report)
  // The saved view would lack the points that a chart does not show.
  if (keys.length > CHART_POINTS_MAX) return false
  if (keys.join() !== view.points.map(keyOfPoint).join() || report.filter !== view.filter) return true
  return (
    view.filter === CUSTOM_RANGE &&
    (report.range?.fromMs !== view.custom?.fromMs || report.range?.toMs !== view.custom?.toMs)
  )
}
