// Patients, doctors and appointments of a clinic, with NestJS and @nestjs/swagger.
import "reflect-metadata";
import {
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  ParseUUIDPipe,
  Query,
  ValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import {
  ApiBadRequestResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
  DocumentBuilder,
  getSchemaPath,
  SwaggerModule,
} from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
import { IsBoolean, IsEnum, IsInt, IsISO8601, IsOptional, IsString, Max, Min, MinLength } from "class-validator";

enum Speciality {
  Cardiology = "cardiology",
  Dermatology = "dermatology",
  Paediatrics = "paediatrics",
}
enum AppointmentState {
  Planned = "planned",
  Done = "done",
  Cancelled = "cancelled",
}
enum AppointmentOrder {
  StartsAt = "startsAt",
  Minutes = "minutes",
}
enum SortOrder {
  Asc = "ASC",
  Desc = "DESC",
}

class Doctor {
  @ApiProperty({ format: "uuid" }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: Speciality, enumName: "Speciality" }) speciality!: Speciality;
  @ApiProperty({ minimum: 1, type: "integer" }) room!: number;
  @ApiProperty() acceptsNewPatients!: boolean;
}
class Slot {
  @ApiProperty({ format: "date-time", type: String }) startsAt!: string;
  @ApiProperty({ type: "integer", minimum: 5 }) minutes!: number;
}
class Appointment {
  @ApiProperty({ type: "integer" }) id!: number;
  @ApiProperty({ format: "uuid" }) doctorId!: string;
  @ApiProperty() patient!: string;
  @ApiProperty({ enum: AppointmentState, enumName: "AppointmentState" }) state!: AppointmentState;
  @ApiProperty({ type: Slot }) slot!: Slot;
  @ApiPropertyOptional({ type: String, nullable: true }) note!: string | null;
}
class PageMeta {
  @ApiProperty({ type: "integer" }) page!: number;
  @ApiProperty({ type: "integer" }) take!: number;
  @ApiProperty({ type: "integer" }) itemCount!: number;
  @ApiProperty({ type: "integer" }) pageCount!: number;
  @ApiProperty() hasPreviousPage!: boolean;
  @ApiProperty() hasNextPage!: boolean;
}
class AppointmentPage {
  @ApiProperty({ type: [Appointment] }) data!: Appointment[];
  @ApiProperty({ type: PageMeta }) meta!: PageMeta;
}
class HttpError {
  @ApiProperty({ type: "integer" }) statusCode!: number;
  @ApiProperty({ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }) message!: string | string[];
  @ApiPropertyOptional() error?: string;
}

class DoctorQuery {
  @ApiPropertyOptional()
  @Transform(({ value }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  @IsOptional()
  acceptsNewPatients?: boolean;
}

class SlotQuery {
  @ApiPropertyOptional({ type: "integer", minimum: 1, maximum: 10, default: 3 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10)
  @IsOptional()
  count: number = 3;
}

class AppointmentQuery {
  @ApiPropertyOptional({ enum: AppointmentState, enumName: "AppointmentState" })
  @IsEnum(AppointmentState)
  @IsOptional()
  state?: AppointmentState;

  @ApiPropertyOptional({ description: "Part of the patient's name.", minLength: 2 })
  @IsString()
  @MinLength(2)
  @IsOptional()
  q?: string;

  @ApiPropertyOptional({ format: "date-time", description: "Appointments that start at this time or later." })
  @IsISO8601({ strict: true })
  @IsOptional()
  from?: string;

  @ApiPropertyOptional({ format: "date-time", description: "Appointments that start before this time." })
  @IsISO8601({ strict: true })
  @IsOptional()
  to?: string;

  @ApiPropertyOptional({ enum: AppointmentOrder, default: AppointmentOrder.StartsAt })
  @IsEnum(AppointmentOrder)
  @IsOptional()
  orderBy: AppointmentOrder = AppointmentOrder.StartsAt;

  @ApiPropertyOptional({ enum: SortOrder, default: SortOrder.Asc })
  @IsEnum(SortOrder)
  @IsOptional()
  order: SortOrder = SortOrder.Asc;

  @ApiPropertyOptional({ type: "integer", minimum: 1, default: 1 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @IsOptional()
  page: number = 1;

  @ApiPropertyOptional({ type: "integer", minimum: 1, maximum: 50, default: 10 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(50)
  @IsOptional()
  take: number = 10;
}

const doctors: Doctor[] = ["Amara", "Bruno", "Chiara", "Dmitri"].map((name, place) => ({
  id: `00000000-0000-4000-8000-00000000000${place + 1}`,
  name: `Dr. ${name}`,
  speciality: Object.values(Speciality)[place % 3]!,
  room: 101 + place,
  acceptsNewPatients: place !== 2,
}));
const appointments: Appointment[] = Array.from({ length: 37 }, (_, place) => ({
  id: 500 + place,
  doctorId: doctors[(place * 3) % 4]!.id,
  patient: `${["Lena", "Omar", "Ruth"][place % 3]} ${["Vogel", "Haddad", "Stein", "Costa"][place % 4]}`,
  state: Object.values(AppointmentState)[(place * 5) % 3]!,
  slot: {
    startsAt: new Date(Date.UTC(2025, 10, 3, 8) + place * 2_700_000).toISOString(),
    minutes: 15 + (place % 4) * 10,
  },
  note: place % 3 === 0 ? null : `Visit ${place}`,
}));

@ApiTags("doctors")
@Controller("doctors")
class DoctorsController {
  @Get()
  @ApiOperation({ summary: "All doctors" })
  @ApiOkResponse({ type: [Doctor] })
  @ApiBadRequestResponse({ type: HttpError })
  findAll(@Query() { acceptsNewPatients }: DoctorQuery): Doctor[] {
    return doctors.filter((one) => acceptsNewPatients === undefined || one.acceptsNewPatients === acceptsNewPatients);
  }

  @Get("workload")
  @ApiExtraModels(Doctor)
  @ApiOperation({ summary: "Minutes that are planned, by the doctor's id" })
  @ApiOkResponse({ schema: { type: "object", additionalProperties: { type: "integer" } } })
  workload(): Record<string, number> {
    const minutes: Record<string, number> = {};
    for (const { doctorId, slot, state } of appointments)
      if (state === AppointmentState.Planned) minutes[doctorId] = (minutes[doctorId] ?? 0) + slot.minutes;
    return minutes;
  }

  @Get(":id")
  @ApiOkResponse({ type: Doctor })
  @ApiBadRequestResponse({ type: HttpError })
  @ApiNotFoundResponse({ type: HttpError })
  findOne(@Param("id", ParseUUIDPipe) id: string): Doctor {
    const found = doctors.find((one) => one.id === id.toLowerCase());
    if (found === undefined) throw new NotFoundException("No such doctor");
    return found;
  }

  @Get(":id/next-slots")
  @ApiOkResponse({ schema: { type: "array", items: { $ref: getSchemaPath(Slot) } } })
  @ApiExtraModels(Slot)
  @ApiBadRequestResponse({ type: HttpError })
  @ApiNotFoundResponse({ type: HttpError })
  nextSlots(@Param("id", ParseUUIDPipe) id: string, @Query() { count }: SlotQuery): Slot[] {
    this.findOne(id);
    return Array.from({ length: count }, (_, place) => ({
      startsAt: new Date(Date.UTC(2026, 0, 5, 8 + place)).toISOString(),
      minutes: 30,
    }));
  }
}

@ApiTags("appointments")
@Controller("appointments")
class AppointmentsController {
  @Get()
  @ApiOkResponse({ type: AppointmentPage })
  @ApiBadRequestResponse({ type: HttpError })
  findAll(@Query() query: AppointmentQuery): AppointmentPage {
    const { state, q, from, to, orderBy, order, page, take } = query;
    const found = appointments.filter(
      ({ state: its, patient, slot }) =>
        (state === undefined || its === state) &&
        (q === undefined || patient.toLowerCase().includes(q.toLowerCase())) &&
        (from === undefined || Date.parse(slot.startsAt) >= Date.parse(from)) &&
        (to === undefined || Date.parse(slot.startsAt) < Date.parse(to)),
    );
    found.sort(({ slot: a }, { slot: b }) => (a[orderBy] < b[orderBy] ? -1 : a[orderBy] > b[orderBy] ? 1 : 0));
    if (order === SortOrder.Desc) found.reverse();
    const pageCount = Math.ceil(found.length / take);
    return {
      data: found.slice((page - 1) * take, page * take),
      meta: {
        page,
        take,
        itemCount: found.length,
        pageCount,
        hasPreviousPage: page > 1,
        hasNextPage: page < pageCount,
      },
    };
  }

  @Get(":id")
  @ApiOkResponse({ type: Appointment })
  @ApiBadRequestResponse({ type: HttpError })
  @ApiNotFoundResponse({ type: HttpError })
  findOne(@Param("id", ParseIntPipe) id: number): Appointment {
    const found = appointments.find((one) => one.id === id);
    if (found === undefined) throw new NotFoundException("No such appointment");
    return found;
  }
}

@Module({ controllers: [DoctorsController, AppointmentsController] })
class ClinicModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create(ClinicModule, { logger: ["error"] });
  app.setGlobalPrefix("api/v1");
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  const config = new DocumentBuilder().setTitle("Clinic").setVersion("1.0").build();
  SwaggerModule.setup("docs", app, () => SwaggerModule.createDocument(app, config), { jsonDocumentUrl: "openapi.json" });
  await app.listen(Number(process.env["PORT"]), "127.0.0.1");
}
void start();
