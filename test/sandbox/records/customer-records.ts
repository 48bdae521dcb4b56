// Records by id and by customer, in insertion order. Lists are not copied: they may contain 100,000 devices.

interface Owned {
  id: string
  customerId: string
}

export class CustomerRecords<T extends Owned> {
  readonly #byId = new Map<string, T>()
  readonly #byCustomer = new Map<string, T[]>()

  get size(): number {
    return this.#byId.size
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)
  }

  of(customerId: string): readonly T[] {
    return this.#byCustomer.get(customerId) ?? []
  }

  add(record: T): T {
    this.#byId.set(record.id, record)
    const list = this.#byCustomer.get(record.customerId)
    if (list) list.push(record)
    else this.#byCustomer.set(record.customerId, [record])
    return record
  }

  remove(id: string): T | undefined {
    const record = this.#byId.get(id)
    if (!record) return undefined
    this.#byId.delete(id)
    const list = this.#byCustomer.get(record.customerId) ?? []
    list.splice(list.indexOf(record), 1)
    return record
  }

  values(): MapIterator<T> {
    return this.#byId.values()
  }
}
