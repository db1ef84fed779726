package museum;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.stereotype.Controller;

/** Exhibits of a museum and the halls that they stand in. */
@SpringBootApplication
public class MuseumApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(MuseumApplication.class, arguments);
  }

  enum Epoch { ANTIQUITY, MIDDLE_AGES, MODERN }

  enum ExhibitSort { INVENTORY, TITLE, YEAR }

  record Hall(String id, String name, int floor) {}

  record Exhibit(
      String id,
      int inventory,
      String title,
      Epoch epoch,
      Integer year,
      double weight,
      boolean onDisplay,
      String hallId,
      List<String> materials) {}

  record ExhibitPage(List<Exhibit> content, int totalElements, int page, int size, boolean hasNext) {}

  record ExhibitCriteria(Epoch epoch, Boolean onDisplay, Double minWeight, String material) {
    boolean matches(Exhibit one) {
      return (epoch == null || one.epoch() == epoch)
          && (onDisplay == null || one.onDisplay() == onDisplay)
          && (minWeight == null || one.weight() >= minWeight)
          && (material == null || one.materials().contains(material));
    }
  }

  static final List<Hall> HALLS =
      List.of(new Hall("hall-1", "Entrance", 0), new Hall("hall-2", "West wing", 1), new Hall("hall-3", "East wing", 1));
  static final List<String> MATERIALS = List.of("bronze", "marble", "oak", "glass");
  static final List<Exhibit> EXHIBITS =
      IntStream.rangeClosed(1, 31)
          .mapToObj(
              number ->
                  new Exhibit(
                      "exhibit-" + number,
                      9000 + number,
                      List.of("Vase", "Bust", "Chair", "Goblet").get(number % 4) + " " + number,
                      Epoch.values()[number * 2 % 3],
                      number % 7 == 0 ? null : 200 + number * 53,
                      number * 37 % 400 / 4.0,
                      number % 5 != 0,
                      number % 5 == 0 ? null : HALLS.get(number % 3).id(),
                      number % 2 == 0 ? List.of(MATERIALS.get(number % 4)) : List.of(MATERIALS.get(number % 4), "gold")))
          .toList();

  @Controller
  static class MuseumController {
    @QueryMapping
    Exhibit exhibit(@Argument String id) {
      return EXHIBITS.stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
    }

    @QueryMapping
    Exhibit exhibitByInventory(@Argument int inventory) {
      return EXHIBITS.stream().filter(one -> one.inventory() == inventory).findFirst().orElse(null);
    }

    @QueryMapping
    ExhibitPage exhibits(
        @Argument ExhibitCriteria criteria, @Argument ExhibitSort sort, @Argument Integer page, @Argument Integer size) {
      int number = page == null ? 0 : page;
      int length = size == null ? 10 : size;
      if (number < 0 || length < 1 || length > 50)
        throw new IllegalArgumentException("page is from 0, size from 1 to 50");
      Comparator<Exhibit> order =
          switch (sort == null ? ExhibitSort.INVENTORY : sort) {
            case INVENTORY -> Comparator.comparing(Exhibit::inventory);
            case TITLE -> Comparator.comparing(Exhibit::title);
            case YEAR -> Comparator.comparing(Exhibit::year, Comparator.nullsLast(Comparator.naturalOrder()));
          };
      List<Exhibit> found = chosen(criteria).stream().sorted(order).toList();
      int start = (int) Math.min((long) number * length, found.size());
      int end = Math.min(start + length, found.size());
      return new ExhibitPage(found.subList(start, end), found.size(), number, length, end < found.size());
    }

    @QueryMapping
    int countExhibits(@Argument ExhibitCriteria criteria) {
      return chosen(criteria).size();
    }

    @QueryMapping
    List<Hall> halls(@Argument Integer floor) {
      return HALLS.stream().filter(one -> floor == null || one.floor() == floor).toList();
    }

    @QueryMapping
    Hall hall(@Argument String id) {
      return HALLS.stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
    }

    @SchemaMapping
    Hall hall(Exhibit exhibit) {
      return hall(exhibit.hallId());
    }

    @SchemaMapping
    List<Exhibit> exhibits(Hall hall, @Argument Epoch epoch) {
      return EXHIBITS.stream()
          .filter(one -> hall.id().equals(one.hallId()) && (epoch == null || one.epoch() == epoch))
          .toList();
    }

    @GraphQlExceptionHandler
    GraphQLError refused(IllegalArgumentException reason, DataFetchingEnvironment environment) {
      return GraphqlErrorBuilder.newError(environment).errorType(ErrorType.BAD_REQUEST).message(reason.getMessage()).build();
    }

    private static List<Exhibit> chosen(ExhibitCriteria criteria) {
      return EXHIBITS.stream().filter(one -> criteria == null || criteria.matches(one)).toList();
    }
  }
}
