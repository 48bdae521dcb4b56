import type { CardFact } from './columns/column.ts'

export function Facts({ facts }: { facts: readonly CardFact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="lines facts-list">
      {facts.map(({ name, plain, value }) => (
        <div key={name} className={plain ? 'hint plain' : undefined}>
          <dt className={plain ? 'sr-only' : 'hint'}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
