import { useState } from 'react'
import { renderSVG } from 'uqr'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Placement, registrationLink } from '../../lib/registration-link.ts'

/** For somebody else to finish at the device: the link opens this page with the placement filled in. */
export function LinkPanel({ placement }: { placement: Placement }) {
  const [open, setOpen] = useState(false)
  const link = registrationLink(window.location.origin, placement)
  return (
    <section className="card step" aria-labelledby="step-link">
      <div className="step-head">
        <h2 id="step-link">Send a registration link</h2>
        <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide link' : 'Show link'}
        </button>
      </div>
      <p className="muted">
        A colleague who signs in with it finds this page with the placement above and only has to enter the
        code.
      </p>
      {open && (
        <div className="link-panel">
          <img
            alt={`QR code of ${link}`}
            width={160}
            height={160}
            src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
          />
          <p className="checksum">
            <span className="mono">{link}</span>
            <CopyButton text={link} label="Copy link" />
          </p>
        </div>
      )}
    </section>
  )
}
