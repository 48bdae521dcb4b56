// Points as the gateway sends them: a model, and a point of each kind.
import { pointOf } from '#client/features/data/points/point.ts'

export const model = (tags: Record<string, unknown> = {}, rest: object = {}) => ({
  cloudId: 'c-1',
  displayName: 'Supply Temp',
  systemGuid: 'g-1',
  outValue: '20.0 {ok}',
  tags: { telemetryId: 't-1', historyName: '/a/b', dataType: 'Numeric', ...tags },
  ...rest
})
export const numeric = pointOf(
  model({ units: '°C', range: '-10..40' }, { facets: { precision: 1, writable: true } })
)
export const mode = pointOf(model({ dataType: 'Enum', range: '0=Off,1=Low speed,4=Boost' }))
export const fan = pointOf(model({ dataType: 'Boolean', trueText: 'Running', falseText: 'Off' }))
