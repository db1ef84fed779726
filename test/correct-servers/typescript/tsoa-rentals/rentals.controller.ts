import { Controller, Get, Path, Query, Response, Route, SuccessResponse, Tags } from "tsoa";

export type VehicleKind = "bicycle" | "cargo-bicycle" | "scooter";

export interface Station {
  /** @isInt */
  id: number;
  name: string;
  /** @isInt @minimum 0 */
  docks: number;
  location: { latitude: number; longitude: number };
  isOpen: boolean;
}

export interface Rental {
  /** @pattern ^r-[0-9]{4}$ */
  id: string;
  kind: VehicleKind;
  /** Id of the station.
   * @isInt */
  fromStation: number;
  /** Null while it has not ended.
   * @isInt */
  toStation: number | null;
  /** @isDateTime */
  startedAt: Date;
  /** Seconds.
   * @isInt @minimum 0 */
  duration: number;
  /** Cents.
   * @isInt @minimum 0 */
  price: number;
}

export interface RentalPage {
  rentals: Rental[];
  /** Number of rentals that match.
   * @isInt */
  totalCount: number;
  /** Token of the next page; absent on the last. */
  nextPageToken?: string;
}

export interface Failure {
  code: string;
  message: string;
}

export interface ValidationFailure {
  code: "invalid";
  fields: { [field: string]: { message: string; value?: unknown } };
}

export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const kinds: VehicleKind[] = ["bicycle", "cargo-bicycle", "scooter"];
const stations: Station[] = ["Harbour", "Market", "University", "Stadium", "Museum"].map((name, place) => ({
  id: place + 1,
  name,
  docks: 8 + ((place * 5) % 17),
  location: { latitude: 53.5 + place / 100, longitude: 9.9 + place / 50 },
  isOpen: place !== 3,
}));
const rentals: Rental[] = Array.from({ length: 47 }, (_, place) => ({
  id: `r-${String(place + 1).padStart(4, "0")}`,
  kind: kinds[(place * 2) % 3]!,
  fromStation: 1 + ((place * 3) % 5),
  toStation: place % 9 === 0 ? null : 1 + ((place * 7) % 5),
  startedAt: new Date(Date.UTC(2025, 4, 1, 6) + place * 5_400_000),
  duration: 240 + ((place * 331) % 3600),
  price: 100 + ((place * 75) % 900),
}));

@Route("stations")
@Tags("stations")
export class StationsController extends Controller {
  /** @param openOnly Leave out stations that are closed. */
  @Get()
  @Response<ValidationFailure>(422, "Not a valid request")
  public listStations(@Query() openOnly = false): Station[] {
    return stations.filter(({ isOpen }) => isOpen || !openOnly);
  }

  /** @isInt id */
  @Get("{id}")
  @SuccessResponse(200, "The station")
  @Response<Failure>(404, "No such station")
  @Response<ValidationFailure>(422, "Not a valid request")
  public getStation(@Path() id: number): Station {
    const found = stations.find((one) => one.id === id);
    if (found === undefined) throw new HttpFailure(404, "not-found", "No such station");
    return found;
  }
}

@Route("rentals")
@Tags("rentals")
export class RentalsController extends Controller {
  /**
   * Rentals in the order in which they started.
   * @param from Started at this time or later.
   * @isDateTime from
   * @param until Started before this time.
   * @isDateTime until
   * @param maxPrice Cents, inclusive.
   * @isInt maxPrice
   * @isInt pageSize
   * @minimum pageSize 1
   * @maximum pageSize 40
   * @param pageToken nextPageToken of the previous page.
   */
  @Get()
  @Response<Failure>(400, "Not a page token")
  @Response<ValidationFailure>(422, "Not a valid request")
  public listRentals(
    @Query() kind?: VehicleKind,
    @Query() station?: number,
    @Query() from?: Date,
    @Query() until?: Date,
    @Query() maxPrice?: number,
    @Query() pageSize = 12,
    @Query() pageToken?: string,
  ): RentalPage {
    const found = rentals.filter(
      (one) =>
        (kind === undefined || one.kind === kind) &&
        (station === undefined || one.fromStation === station || one.toStation === station) &&
        (from === undefined || one.startedAt >= from) &&
        (until === undefined || one.startedAt < until) &&
        (maxPrice === undefined || one.price <= maxPrice),
    );
    const last = pageToken === undefined ? undefined : rentals.find(({ id }) => id === pageToken);
    if (pageToken !== undefined && last === undefined) throw new HttpFailure(400, "page-token", "Not a page token");
    const rest = last === undefined ? found : found.filter(({ id }) => id > last.id);
    const page = rest.slice(0, pageSize);
    return {
      rentals: page,
      totalCount: found.length,
      ...(rest.length > pageSize ? { nextPageToken: page.at(-1)!.id } : {}),
    };
  }

  @Get("revenue")
  public getRevenue(): { [kind: string]: number } {
    return Object.fromEntries(
      kinds.map((kind) => [
        kind,
        rentals.filter((one) => one.kind === kind).reduce((total, { price }) => total + price, 0),
      ]),
    );
  }

  @Get("{id}")
  @Response<Failure>(404, "No such rental")
  public getRental(@Path() id: string): Rental {
    const found = rentals.find((one) => one.id === id);
    if (found === undefined) throw new HttpFailure(404, "not-found", "No such rental");
    return found;
  }
}
