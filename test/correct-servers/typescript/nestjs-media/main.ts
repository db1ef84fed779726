// Films, series and songs of a media library, with NestJS: discriminated unions, nullable references, offsets.
import "reflect-metadata";
import { Controller, Get, Header, Module, NotFoundException, Param, Query, ValidationPipe } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import {
  ApiBadRequestResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiProduces,
  DocumentBuilder,
  getSchemaPath,
  SwaggerModule,
} from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
import { ArrayMaxSize, IsArray, IsDateString, IsIn, IsInt, IsOptional, IsString, Max, Min } from "class-validator";

const kinds = ["film", "series", "song"] as const;

class Studio {
  @ApiProperty() code!: string;
  @ApiProperty({ type: "integer" }) founded!: number;
}
abstract class Item {
  @ApiProperty() id!: string;
  @ApiProperty() title!: string;
  @ApiProperty({ format: "date" }) added!: string;
  @ApiProperty({ type: () => Studio, nullable: true }) studio!: Studio | null;
  @ApiProperty({ type: [String] }) tags!: string[];
  @ApiProperty({ type: "object", additionalProperties: { type: "number" } }) ratings!: Record<string, number>;
}
class Film extends Item {
  @ApiProperty({ enum: ["film"] }) kind!: "film";
  @ApiProperty({ type: "integer", minimum: 1 }) minutes!: number;
}
class Series extends Item {
  @ApiProperty({ enum: ["series"] }) kind!: "series";
  @ApiProperty({ type: "integer", minimum: 1 }) seasons!: number;
}
class Song extends Item {
  @ApiProperty({ enum: ["song"] }) kind!: "song";
  @ApiProperty({ type: "integer", minimum: 1 }) seconds!: number;
  @ApiPropertyOptional() album?: string;
}
class HttpError {
  @ApiProperty({ type: "integer" }) statusCode!: number;
  @ApiProperty({ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }) message!: string | string[];
  @ApiPropertyOptional() error?: string;
}
class ItemQuery {
  @ApiPropertyOptional({ enum: kinds, isArray: true })
  @Transform(({ value }) => (Array.isArray(value) ? value : [value]))
  @IsArray()
  @ArrayMaxSize(10)
  @IsIn(kinds, { each: true })
  @IsOptional()
  kind?: (typeof kinds)[number][];

  @ApiPropertyOptional({ description: "Only items that have this tag." })
  @IsString()
  @IsOptional()
  tag?: string;

  @ApiPropertyOptional({ format: "date", description: "Added on this day or later." })
  @IsDateString({ strict: true })
  @IsOptional()
  addedFrom?: string;

  @ApiPropertyOptional({ enum: ["added", "title"], default: "added", description: "Latest first for added, from A for title." })
  @IsIn(["added", "title"])
  @IsOptional()
  sort: "added" | "title" = "added";

  @ApiPropertyOptional({ type: "integer", minimum: 0, default: 0 })
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @IsOptional()
  skip: number = 0;

  @ApiPropertyOptional({ type: "integer", minimum: 1, maximum: 100, default: 25 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  @IsOptional()
  take: number = 25;
}

const studios: Studio[] = [
  { code: "ALP", founded: 1931 },
  { code: "BRK", founded: 1988 },
];
const items: (Film | Series | Song)[] = Array.from({ length: 36 }, (_, place) => {
  const common = {
    id: `m${place + 1}`,
    title: `${String.fromCharCode(65 + ((place * 11) % 26))} title ${place + 1}`,
    added: new Date(Date.UTC(2024, 0, 3 + place * 9)).toISOString().slice(0, 10),
    studio: place % 4 === 0 ? null : studios[place % 2]!,
    tags: ["new", "family", "live"].filter((_tag, index) => ((place + 1) >> index) & 1),
    ratings: (place % 5 === 0 ? {} : { press: (place % 10) / 2, audience: 3.5 }) as Record<string, number>,
  };
  if (place % 3 === 0) return { ...common, kind: "film", minutes: 80 + place };
  if (place % 3 === 1) return { ...common, kind: "series", seasons: 1 + (place % 6) };
  return { ...common, kind: "song", seconds: 150 + place, ...(place % 2 === 0 ? { album: `Album ${place}` } : {}) };
});
const union = {
  oneOf: [Film, Series, Song].map((type) => ({ $ref: getSchemaPath(type) })),
  discriminator: {
    propertyName: "kind",
    mapping: { film: getSchemaPath(Film), series: getSchemaPath(Series), song: getSchemaPath(Song) },
  },
};

@Controller("items")
@ApiExtraModels(Film, Series, Song)
class ItemsController {
  @Get()
  @ApiOkResponse({ schema: { type: "array", items: union } })
  @ApiBadRequestResponse({ type: HttpError })
  findAll(@Query() { kind, tag, addedFrom, sort, skip, take }: ItemQuery): (Film | Series | Song)[] {
    const found = items.filter(
      (one) =>
        (kind === undefined || kind.includes(one.kind)) &&
        (tag === undefined || one.tags.includes(tag)) &&
        (addedFrom === undefined || one.added >= addedFrom.slice(0, 10)),
    );
    found.sort(sort === "added" ? (a, b) => (a.added < b.added ? 1 : -1) : (a, b) => (a.title < b.title ? -1 : 1));
    return found.slice(skip, skip + take);
  }

  @Get("export")
  @Header("Content-Type", "text/csv; charset=utf-8")
  @ApiProduces("text/csv")
  @ApiOkResponse({ schema: { type: "string" } })
  exportAll(): string {
    return ["id,title", ...items.map(({ id, title }) => `${id},${title}`)].join("\n");
  }

  @Get("by-tag")
  @ApiOkResponse({ schema: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } } })
  byTag(): Record<string, string[]> {
    return Object.fromEntries(
      ["new", "family", "live"].map((tag) => [tag, items.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id)]),
    );
  }

  @Get(":id")
  @ApiOkResponse({ schema: union })
  @ApiNotFoundResponse({ type: HttpError })
  findOne(@Param("id") id: string): Film | Series | Song {
    const found = items.find((one) => one.id === id);
    if (found === undefined) throw new NotFoundException("No such item");
    return found;
  }
}

@Module({ controllers: [ItemsController] })
class MediaModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create(MediaModule, { logger: ["error"] });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  const config = new DocumentBuilder().setTitle("Media").setVersion("2.0").build();
  SwaggerModule.setup("docs", app, () => SwaggerModule.createDocument(app, config), { jsonDocumentUrl: "openapi.json" });
  await app.listen(Number(process.env["PORT"]), "127.0.0.1");
}
void start();
