import { useState } from 'react'
import { renderSVG } from 'uqr'
import { Copyable } from '../../../ui/input/copy-button.tsx'

/** A link to this page with the placement filled in. */
export function LinkPanel({ placement }: { placement: Placement }) {
  const [open, setOpen] = useState(false)
  const link = registrationLink(window.location.origin, placement)
  return (
    <section className="card stack" aria-labelledby="step-link">
      <div className="row spread">
        <h2 id="step-link">Send a registration link</h2>
        <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide link' : 'Show link'}
        </button>
      </div>
      <p className="muted">
        A colleague who opens the link finds the placement filled in and only enters the code.
      </p>
      {open && (
        <div className="row link-panel">
          <img
            alt={`QR code of ${link}`}
            width={160}
            height={160}
            src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
          />
          <Copyable text={link} label="Copy link" />
        </div>
      )}
    </section>
  )
}

export const NO_PLACEMENT = {
  customerId: '',
  customerName: '',
  projectId: '',
  deviceName: '',
  location: ''
}

export type Placement = typeof NO_PLACEMENT

const FIELDS = Object.keys(NO_PLACEMENT) as (keyof Placement)[]

export function registrationLink(origin: string, placement: Placement): string {
  const query = new URLSearchParams()
  for (const name of FIELDS) if (placement[name].trim()) query.set(name, placement[name].trim())
  const text = query.toString()
  return `${origin}/registerdevice${text && `?${text}`}`
}

export function placementOf(query: URLSearchParams): Placement {
  return Object.fromEntries(FIELDS.map((name) => [name, query.get(name) ?? ''])) as unknown as Placement
}
