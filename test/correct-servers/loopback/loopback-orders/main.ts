// Customers and orders of a shop, with LoopBack 4: models, repositories and controllers as its command line generates them.
import { type ApplicationConfig, Getter, inject } from "@loopback/core";
import {
  belongsTo,
  type BelongsToAccessor,
  Count,
  CountSchema,
  DefaultCrudRepository,
  Entity,
  Filter,
  FilterExcludingWhere,
  hasMany,
  juggler,
  model,
  property,
  repository,
  RepositoryMixin,
  Where,
} from "@loopback/repository";
import { get, getModelSchemaRef, param, post, requestBody, response, RestApplication } from "@loopback/rest";

@model()
class Customer extends Entity {
  @property({ type: "number", id: true, required: true, jsonSchema: { type: "integer" } }) id!: number;
  @property({ type: "string", required: true }) name!: string;
  @property({ type: "string", required: true, jsonSchema: { format: "email" } }) email!: string;
  @property({ type: "boolean", required: true }) isPremium!: boolean;
  @property({ type: "date", required: true }) since!: string;
  @property({ type: "string" }) phone?: string;
  @hasMany(() => Order) orders?: Order[];
}

@model()
class Order extends Entity {
  @property({ type: "number", id: true, required: true, jsonSchema: { type: "integer" } }) id!: number;
  @property({ type: "string", required: true, jsonSchema: { enum: ["open", "shipped", "returned"] } }) state!: string;
  @property({ type: "number", required: true, jsonSchema: { minimum: 0 } }) total!: number;
  @property({ type: "date", required: true }) placedAt!: string;
  @property.array(String, { required: true }) articles!: string[];
  @belongsTo(() => Customer) customerId!: number;
}

class CustomerRepository extends DefaultCrudRepository<Customer, number> {
  constructor(@inject("datasources.db") dataSource: juggler.DataSource) {
    super(Customer, dataSource);
  }
}

class OrderRepository extends DefaultCrudRepository<Order, number, { customer?: Customer }> {
  readonly customer: BelongsToAccessor<Customer, number>;
  constructor(
    @inject("datasources.db") dataSource: juggler.DataSource,
    @repository.getter("CustomerRepository") customers: Getter<CustomerRepository>,
  ) {
    super(Order, dataSource);
    this.customer = this.createBelongsToAccessorFor("customer", customers);
    this.registerInclusionResolver("customer", this.customer.inclusionResolver);
  }
}

class CustomerController {
  constructor(@repository(CustomerRepository) public customers: CustomerRepository) {}

  @get("/customers/count")
  @response(200, { description: "Number of customers", content: { "application/json": { schema: CountSchema } } })
  count(@param.where(Customer) where?: Where<Customer>): Promise<Count> {
    return this.customers.count(where);
  }

  @get("/customers")
  @response(200, {
    description: "Customers",
    content: { "application/json": { schema: { type: "array", items: getModelSchemaRef(Customer) } } },
  })
  find(@param.filter(Customer) filter?: Filter<Customer>): Promise<Customer[]> {
    return this.customers.find(filter);
  }

  @get("/customers/{id}")
  @response(200, { description: "The customer", content: { "application/json": { schema: getModelSchemaRef(Customer) } } })
  findById(
    @param.path.number("id") id: number,
    @param.filter(Customer, { exclude: "where" }) filter?: FilterExcludingWhere<Customer>,
  ): Promise<Customer> {
    return this.customers.findById(id, filter);
  }

  @post("/customers")
  @response(200, { description: "The customer", content: { "application/json": { schema: getModelSchemaRef(Customer) } } })
  create(
    @requestBody({ content: { "application/json": { schema: getModelSchemaRef(Customer) } } }) customer: Customer,
  ): Promise<Customer> {
    return this.customers.create(customer);
  }
}

class OrderController {
  constructor(@repository(OrderRepository) public orders: OrderRepository) {}

  @get("/orders/count")
  @response(200, { description: "Number of orders", content: { "application/json": { schema: CountSchema } } })
  count(@param.where(Order) where?: Where<Order>): Promise<Count> {
    return this.orders.count(where);
  }

  @get("/orders")
  @response(200, {
    description: "Orders",
    content: {
      "application/json": { schema: { type: "array", items: getModelSchemaRef(Order, { includeRelations: true }) } },
    },
  })
  find(@param.filter(Order) filter?: Filter<Order>): Promise<Order[]> {
    return this.orders.find(filter);
  }

  @get("/orders/{id}")
  @response(200, {
    description: "The order",
    content: { "application/json": { schema: getModelSchemaRef(Order, { includeRelations: true }) } },
  })
  findById(
    @param.path.number("id") id: number,
    @param.filter(Order, { exclude: "where" }) filter?: FilterExcludingWhere<Order>,
  ): Promise<Order> {
    return this.orders.findById(id, filter);
  }

  @get("/customers/{id}/orders")
  @response(200, {
    description: "Orders of the customer, the latest first",
    content: { "application/json": { schema: { type: "array", items: getModelSchemaRef(Order) } } },
  })
  ofCustomer(
    @param.path.number("id") id: number,
    @param.query.string("state", { schema: { type: "string", enum: ["open", "shipped", "returned"] } }) state?: string,
    @param.query.integer("limit", { schema: { type: "integer", minimum: 1, maximum: 20, default: 5 } }) limit = 5,
  ): Promise<Order[]> {
    const where = state === undefined ? { customerId: id } : { customerId: id, state };
    return this.orders.find({ where, order: ["placedAt DESC"], limit });
  }
}

class ShopApplication extends RepositoryMixin(RestApplication) {
  constructor(options: ApplicationConfig) {
    super(options);
    this.dataSource(new juggler.DataSource({ name: "db", connector: "memory" }));
    this.repository(CustomerRepository);
    this.repository(OrderRepository);
    this.controller(CustomerController);
    this.controller(OrderController);
  }
}

async function start(): Promise<void> {
  const app = new ShopApplication({
    rest: {
      host: "127.0.0.1",
      port: Number(process.env["PORT"]),
      openApiSpec: { setServersFromRequest: true },
      gracePeriodForClose: 100,
    },
  });
  await app.start();
  const customers = await app.getRepository(CustomerRepository);
  const orders = await app.getRepository(OrderRepository);
  for (let id = 1; id <= 9; id += 1)
    await customers.create({
      id,
      name: `Customer ${id}`,
      email: `customer${id}@shop.example`,
      isPremium: id % 3 === 0,
      since: new Date(Date.UTC(2015 + id, id, id)).toISOString(),
      ...(id % 2 === 0 ? {} : { phone: `+49 30 5550${id}` }),
    });
  for (let id = 1; id <= 40; id += 1)
    await orders.create({
      id,
      state: ["open", "shipped", "returned"][(id * 2) % 3],
      total: ((id * 733) % 25_000) / 100,
      placedAt: new Date(Date.UTC(2025, 2, 1) + id * 40_000_000).toISOString(),
      articles: Array.from({ length: 1 + (id % 3) }, (_, place) => `A-${id + place}`),
      customerId: 1 + ((id * 4) % 9),
    });
}
void start();
