import '../../../../support/client/dom.ts'
import { cleanup, renderHook } from '@testing-library/react'
import t from 'tap'
import { useHistories } from '#client/features/data/history/use-histories.ts'
import { pointOf } from '#client/features/data/points/point.ts'
import { device, never, startGateway } from '../../../../support/client/gateway.ts'
import { pointModel } from '../../../../support/client/points.ts'
import { withRetries } from '../../../../support/client/with-retries.tsx'

t.test(
  'loads are open from the first rendering on, so that no page seems complete without them',
  async (t) => {
    const gateway = startGateway({ '/api/v1/egress/telemetry': never })
    t.teardown(() => {
      cleanup()
      gateway.stop()
    })
    const point = pointOf(pointModel(1))
    const chosen = [
      {
        key: 'uuid-1|c-1',
        deviceUuid: 'uuid-1',
        cloudId: 'c-1',
        color: 0,
        device: device(1),
        point,
        found: undefined
      }
    ]
    const range = { fromMs: 0, toMs: 86_400_000 }
    const query = {
      customerId: '9',
      chosen,
      range,
      previous: null,
      asOf: range.toMs,
      isLive: false,
      nowMs: () => 0
    }
    const open: number[] = []
    renderHook(() => open.push(useHistories(query).open), withRetries)
    t.equal(open[0], 1)
    t.equal(open.at(-1), 1)
  }
)
