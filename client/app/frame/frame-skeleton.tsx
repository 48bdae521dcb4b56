import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/state/loading.tsx'
import { ConnectionStrip } from './banners.tsx'

export function FrameSkeleton() {
  return (
    <BareFrame busy>
      <div className="sidebar" />
      <main id="main" className="grow">
        <div className="title-block">
          <Skeleton width="6rem" />
          <div className="row title-row">
            <h1>
              <Skeleton width="16rem" label="Loading" />
            </h1>
          </div>
        </div>
      </main>
    </BareFrame>
  )
}

export function BareFrame({ busy, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className="frame" aria-busy={busy}>
      <div className="frame-header">
        <Brand />
      </div>
      <ConnectionStrip />
      <div className="frame-body">{children}</div>
    </div>
  )
}

export function Brand() {
  return (
    <span className="brand">
      <BrandMark />
      Portal
    </span>
  )
}

export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 24V13.5a2 2 0 0 1 1-1.7l6-3.6a2 2 0 0 1 2 0l6 3.6a2 2 0 0 1 1 1.7V24M12 24v-7h8v7M12 20.5h8" />
    </svg>
  )
}
