import Download from 'lucide-react/icons/download'
import { lazy, Suspense, useState } from 'react'
import { fileName, saveFile } from '../../../lib/csv.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { MenuButton } from '../../../ui/input/menu-button.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { History } from '../use-history.ts'

interface ExportMenuProps {
  history: History
  /** What the picture is called. */
  title: string
}

const ChartPicture = lazy(() => import('./chart-picture.tsx'))

const PICTURE_HEIGHT = 480

/** What is drawn, to take away: as numbers, as a picture, on paper. */
export function ExportMenu({ history, title }: ExportMenuProps) {
  const { current: lines, drawing, inView: view, zone } = history
  const [picturing, setPicturing] = useState(false)
  const nothing = lines.length === 0 || !view ? 'Nothing is drawn yet' : null
  const named = (extension: string) => {
    const days = view ? [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone)) : []
    return fileName(['history', ...new Set(lines.map(({ device }) => device)), ...days], extension)
  }

  async function csv() {
    if (!view || !drawing) return
    const times = await drawing.times(
      lines.map(({ id }) => id),
      view
    )
    const { historyCsv } = await import('./history-csv.ts')
    saveFile(named('csv'), await historyCsv(lines, times, zone))
  }

  const failed = () => {
    setPicturing(false)
    toasts.failed('The file could not be made.')
  }
  return (
    <>
      <MenuButton
        label="Export"
        className="button"
        items={[
          {
            label: 'CSV of what is drawn',
            disabledReason: nothing,
            onSelect: () => void csv().catch(failed)
          },
          { label: 'Picture (PNG)', disabledReason: nothing, onSelect: () => setPicturing(true) },
          { label: 'Print', disabledReason: nothing, onSelect: () => window.print() }
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
