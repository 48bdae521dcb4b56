import { SearchField } from '../../../ui/input/search-field.tsx'
import type { ViewControl } from '../use-device-view.ts'

export function DeviceSearch({ view, change, label }: ViewControl & { label: string }) {
  return <SearchField label={label} value={view.q} onSearch={(q) => change({ q })} />
}
