import { Skeleton } from '../../ui/state/loading.tsx'
import { Brand } from './brand.tsx'
import { ConnectionStrip } from './connection-strip.tsx'

/** The frame before it is known who is signed in. */
export function FrameSkeleton() {
  return (
    <div className="frame" aria-busy="true">
      <div className="frame-header">
        <Brand />
      </div>
      <ConnectionStrip />
      <div className="frame-body">
        <div className="sidebar" />
        <main id="main">
          <div className="title-block">
            <Skeleton width="6rem" />
            <div className="title-row">
              <h1>
                <Skeleton width="16rem" label="Loading" />
              </h1>
            </div>
          </div>
        </main>
      </div>
    </div>
  )
}
