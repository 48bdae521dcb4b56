import Download from 'lucide-react/icons/download'
import { lazy, Suspense, useState } from 'react'
import { fileName, saveFile } from '../../../lib/csv.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { MenuButton } from '../../../ui/input/menu-button.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { History } from '../use-history.ts'
import { averagesCsv, recordsCsv } from './history-csv.ts'

interface ExportMenuProps {
  history: History
  /** The heading of the picture. */
  title: string
}

const ChartPicture = lazy(() => import('./chart-picture.tsx'))

const PICTURE_HEIGHT = 480
const HOUR_MS = 3_600_000

/** What is in view, as numbers, as a picture or on paper. */
export function ExportMenu({ history, title }: ExportMenuProps) {
  const { current: lines, drawing, inView: view, zone } = history
  const [picturing, setPicturing] = useState(false)
  const disabledReason = lines.length === 0 || !view || !drawing ? 'Nothing is drawn yet' : null
  const named = (extension: string) => {
    const days = view ? [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone)) : []
    return fileName(['history', ...new Set(lines.map(({ device }) => device)), ...days], extension)
  }
  const failed = () => {
    setPicturing(false)
    toasts.failed('The file could not be made.')
  }
  const csv = (make: () => Promise<Blob>) => () =>
    void make().then((file) => saveFile(named('csv'), file), failed)
  const averages = (hours: number) =>
    csv(async () => (view ? averagesCsv(lines, view, hours * HOUR_MS, zone) : new Blob()))
  const records = csv(async () =>
    view && drawing ? recordsCsv(lines, await drawing.times(lines, view), zone) : new Blob()
  )
  return (
    <>
      <MenuButton
        label="Export"
        className="button"
        items={[
          { label: 'CSV, every record', disabledReason, onSelect: records },
          { label: 'CSV, hourly averages', disabledReason, onSelect: averages(1) },
          { label: 'CSV, daily averages', disabledReason, onSelect: averages(24) },
          { label: 'Picture (PNG)', disabledReason, onSelect: () => setPicturing(true) },
          { label: 'Print', disabledReason, onSelect: () => window.print() }
        ]}
      >
        <Download />
        Export
      </MenuButton>
      {picturing && view && (
        <Suspense fallback={null}>
          <ChartPicture
            title={title}
            lines={history.shown}
            {...{ drawing, view, zone }}
            height={PICTURE_HEIGHT}
            alarms={history.alarms}
            chosenAlarm={history.view.alarm}
            nowMs={history.asOf}
            axes={history.view.axes}
            onImage={(image) => {
              setPicturing(false)
              saveFile(named('png'), image)
            }}
            onFailure={failed}
          />
        </Suspense>
      )}
    </>
  )
}
