package courses;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Courses of an adult education centre and the people who are enrolled in them. */
@SpringBootApplication
public class CoursesApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(CoursesApplication.class, arguments);
  }

  enum Subject { LANGUAGES, CRAFTS, COMPUTING }

  enum Level { BEGINNER, ADVANCED }

  enum SortBy { title, startsOn, price }

  record Teacher(@NotNull long id, @NotNull String name) {}

  record Course(
      @NotNull UUID id,
      @NotNull String title,
      @NotNull Subject subject,
      @NotNull Level level,
      @NotNull LocalDate startsOn,
      @NotNull @PositiveOrZero int places,
      @NotNull BigDecimal price,
      @NotNull Teacher teacher,
      @NotNull List<String> weekdays,
      @Schema(nullable = true) String remark) {}

  record CoursePage(
      @NotNull List<Course> content,
      @NotNull int number,
      @NotNull int size,
      @NotNull long totalElements,
      @NotNull int totalPages,
      @NotNull boolean first,
      @NotNull boolean last) {}

  record Enrolment(@NotNull long id, @NotNull UUID courseId, @NotNull String participant, @NotNull OffsetDateTime enrolledAt) {}

  record SubjectSummary(@NotNull int courses, @NotNull int places, @NotNull BigDecimal cheapest) {}

  static final List<Course> COURSES =
      IntStream.rangeClosed(1, 34)
          .mapToObj(
              number ->
                  new Course(
                      new UUID(0x4000L, 0x8000000000000000L + number),
                      List.of("Spanish", "Pottery", "Spreadsheets", "Italian").get(number % 4) + " " + number,
                      Subject.values()[number * 2 % 3],
                      Level.values()[number % 2],
                      LocalDate.of(2026, 1, 5).plusDays(number * 9L % 200),
                      number * 5 % 23,
                      BigDecimal.valueOf(4000 + number * 750L % 9000, 2),
                      new Teacher(1 + number % 3, List.of("Ms Aalto", "Mr Bianchi", "Ms Cole").get(number % 3)),
                      number % 4 == 0 ? List.of("MONDAY", "THURSDAY") : List.of("SATURDAY"),
                      number % 5 == 0 ? null : "Room " + number))
          .toList();

  static final List<Enrolment> ENROLMENTS =
      IntStream.rangeClosed(1, 80)
          .mapToObj(
              number ->
                  new Enrolment(
                      number,
                      COURSES.get(number * 7 % 34).id(),
                      "Participant " + number,
                      OffsetDateTime.of(2025, 11, 1, 9, 0, 0, 0, ZoneOffset.UTC).plusHours(number * 5L)))
          .toList();

  @ResponseStatus(HttpStatus.NOT_FOUND)
  static class NoSuchCourse extends RuntimeException {}

  @RestControllerAdvice
  static class Problems extends ResponseEntityExceptionHandler {
    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    ProblemDetail noSuchCourse(NoSuchCourse reason) {
      return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "No such course");
    }
  }

  @RestController
  static class CourseController {
    @GetMapping(value = "/api/courses", produces = "application/json")
    @Operation(operationId = "listCourses", summary = "Courses, a page at a time")
    @ApiResponse(responseCode = "200", description = "A page")
    @ApiResponse(
        responseCode = "400",
        description = "Not a valid request",
        content = @Content(mediaType = "application/problem+json", schema = @Schema(implementation = ProblemDetail.class)))
    CoursePage list(
        @RequestParam(required = false) Subject subject,
        @RequestParam(required = false) Level level,
        @Parameter(description = "Courses that start on this day or later.")
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate startsFrom,
        @Parameter(description = "Highest price, inclusive.") @RequestParam(required = false) BigDecimal maxPrice,
        @Parameter(description = "Courses with free places only.") @RequestParam(defaultValue = "false") boolean free,
        @RequestParam(defaultValue = "startsOn") SortBy sortBy,
        @Parameter(description = "Number of the page, from 0.") @RequestParam(defaultValue = "0") @Min(0) int page,
        @RequestParam(defaultValue = "10") @Min(1) @Max(50) int size) {
      Comparator<Course> order =
          switch (sortBy) {
            case title -> Comparator.comparing(Course::title);
            case startsOn -> Comparator.comparing(Course::startsOn);
            case price -> Comparator.comparing(Course::price);
          };
      List<Course> found =
          COURSES.stream()
              .filter(one -> subject == null || one.subject() == subject)
              .filter(one -> level == null || one.level() == level)
              .filter(one -> startsFrom == null || !one.startsOn().isBefore(startsFrom))
              .filter(one -> maxPrice == null || one.price().compareTo(maxPrice) <= 0)
              .filter(one -> !free || one.places() > 0)
              .sorted(order.thenComparing(Course::id))
              .toList();
      int pages = (found.size() + size - 1) / size;
      long start = Math.min((long) page * size, found.size());
      List<Course> content = found.subList((int) start, (int) Math.min(start + size, found.size()));
      return new CoursePage(content, page, size, found.size(), pages, page == 0, page >= pages - 1);
    }

    @GetMapping(value = "/api/courses/{id}", produces = "application/json")
    @Operation(operationId = "getCourse")
    @ApiResponse(responseCode = "200", description = "The course")
    @ApiResponse(
        responseCode = "404",
        description = "No such course",
        content = @Content(mediaType = "application/problem+json", schema = @Schema(implementation = ProblemDetail.class)))
    Course get(@PathVariable UUID id) {
      return COURSES.stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow(NoSuchCourse::new);
    }

    @GetMapping(value = "/api/courses/{id}/enrolments", produces = "application/json")
    @Operation(operationId = "listEnrolments", summary = "Enrolments of a course, the latest first")
    @ApiResponse(responseCode = "200", description = "Enrolments")
    @ApiResponse(
        responseCode = "404",
        description = "No such course",
        content = @Content(mediaType = "application/problem+json", schema = @Schema(implementation = ProblemDetail.class)))
    List<Enrolment> enrolments(@PathVariable UUID id, @RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit) {
      Course course = get(id);
      List<Enrolment> found = new ArrayList<>(ENROLMENTS.stream().filter(one -> one.courseId().equals(course.id())).toList());
      found.sort(Comparator.comparing(Enrolment::enrolledAt).reversed());
      return found.subList(0, Math.min(limit, found.size()));
    }

    @GetMapping(value = "/api/subjects", produces = "application/json")
    @Operation(operationId = "getSubjects", summary = "Numbers of courses by subject")
    Map<Subject, SubjectSummary> subjects() {
      Map<Subject, SubjectSummary> result = new TreeMap<>();
      for (Subject subject : Subject.values()) {
        List<Course> courses = COURSES.stream().filter(one -> one.subject() == subject).toList();
        result.put(
            subject,
            new SubjectSummary(
                courses.size(),
                courses.stream().mapToInt(Course::places).sum(),
                courses.stream().map(Course::price).min(Comparator.naturalOrder()).orElse(BigDecimal.ZERO)));
      }
      return result;
    }

    @GetMapping(value = "/api/courses/count", produces = "application/json")
    @Operation(operationId = "countCourses")
    long count(@RequestParam(required = false) Subject subject) {
      return COURSES.stream().filter(one -> subject == null || one.subject() == subject).count();
    }
  }
}
