import CalendarRange from 'lucide-react/icons/calendar-range'
import { useState } from 'react'
import { formatMoment } from '../../../lib/time/time.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import type { History } from '../use-history.ts'
import { RangeBar, Shift } from './range-bar.tsx'

/** The range of a small screen: one line that moves it, and opens the rest in a sheet. */
export default function RangeLine({ history }: { history: History }) {
  const [open, setOpen] = useState(false)
  const { view, inView, zone, zoom, zoomIn } = history
  const ends = inView ? [inView.fromMs, inView.toMs].map((ms) => formatMoment(ms, zone)) : null
  return (
    <div className="range-line">
      <Shift history={history} by={-1} />
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CalendarRange />
        <span>
          <span className="range-line-name">{zoom ? 'Part' : view.filter}</span>
          {ends && <small>{ends.map(withoutYear).join(' – ')}</small>}
        </span>
      </button>
      <Shift history={history} by={1} />
      {zoom && (
        <button type="button" className="button quiet" onClick={() => zoomIn(null)}>
          Show all
        </button>
      )}
      {open && (
        <Modal title="Time range" kind="screen" onClose={() => setOpen(false)}>
          <div className="modal-body">
            <RangeBar history={history} />
          </div>
          <div className="modal-actions">
            <button type="button" className="button primary" onClick={() => setOpen(false)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}

const withoutYear = (moment: string) => moment.replace(/-\d{4} /, ' ')
